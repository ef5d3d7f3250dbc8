//! A browser for tests of the page: a headless Chromium behind a chromedriver of its own, both ended with the test.
//!
//! Everything here blocks; whatever is waited for is waited for inside the page, with a bound.
#![allow(dead_code, reason = "each test uses a part of it")]

pub(crate) mod lossy;

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use thirtyfour::prelude::*;
use tokio::runtime::Runtime;

const CHROMEDRIVER: &str = "/usr/bin/chromedriver";
const WITHOUT: &str = "ZEITNOT_WITHOUT_BROWSER";
const ARGUMENTS: [&str; 10] = [
    // The clock's own certificate is nobody's that a browser knows.
    "--ignore-certificate-errors",
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-proxy-server",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// One browser at a time: two would make each other slow.
static TURN: Mutex<()> = Mutex::new(());

/// What a page is looked at with.
#[derive(Clone, Copy)]
pub(crate) enum Screen {
    /// A phone upright, 390 × 844.
    Phone,
    /// The narrowest phone that is served, 360 × 640.
    SmallPhone,
    /// A phone in one hand, 360 × 740.
    Hand,
    /// A tablet, 1024 × 768.
    Tablet,
    /// A hall's screen, 1280 × 720.
    Hall,
}

impl Screen {
    fn size(self) -> (u32, u32) {
        match self {
            Self::Phone => (390, 844),
            Self::SmallPhone => (360, 640),
            Self::Hand => (360, 740),
            Self::Tablet => (1024, 768),
            Self::Hall => (1280, 720),
        }
    }
}

/// A browser with one page.
pub(crate) struct Browser {
    runtime: Runtime,
    driver: Option<WebDriver>,
    process: Child,
    _output: BufReader<ChildStdout>,
    _profile: TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Browser {
    /// A browser; `None` where `ZEITNOT_WITHOUT_BROWSER=1` says that there is none. Without that word a machine that has
    /// none fails the test: nothing is skipped in silence.
    pub(crate) fn open(screen: Screen) -> Option<Self> {
        if std::env::var_os(WITHOUT).is_some_and(|value| value == "1") {
            eprintln!("{WITHOUT}=1: the page is not tested");
            return None;
        }
        assert!(
            Path::new(CHROMEDRIVER).exists(),
            "there is no {CHROMEDRIVER} to test the page with: run `sudo apt-get install chromium chromium-driver`, or \
             set {WITHOUT}=1 to go without these tests"
        );
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut process = Command::new(CHROMEDRIVER)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // A group of its own, so that the browsers it starts end with it.
            .process_group(0)
            .spawn()
            .unwrap();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let port = port_of(&mut output);
        let profile = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let driver = runtime.block_on(async {
            let mut capabilities = DesiredCapabilities::chrome();
            for argument in ARGUMENTS {
                capabilities.add_arg(argument).unwrap();
            }
            capabilities.add_arg(&format!("--user-data-dir={}", profile.path().display())).unwrap();
            WebDriver::new(format!("http://127.0.0.1:{port}"), capabilities).await.unwrap()
        });
        runtime.block_on(driver.set_script_timeout(Duration::from_secs(60))).unwrap();
        let browser = Self { runtime, driver: Some(driver), process, _output: output, _profile: profile, _turn: turn };
        browser.screen(screen);
        Some(browser)
    }

    fn driver(&self) -> &WebDriver {
        self.driver.as_ref().expect("it is taken only at the end")
    }

    /// Looks through another screen.
    pub(crate) fn screen(&self, screen: Screen) {
        let (width, height) = screen.size();
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.cdp("Emulation.setDeviceMetricsOverride", metrics);
    }

    /// The colours that the device prefers.
    pub(crate) fn dark(&self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": value}]});
        self.cdp("Emulation.setEmulatedMedia", features);
    }

    /// Opens a page.
    pub(crate) fn go(&self, url: &str) {
        self.runtime.block_on(self.driver().goto(url)).unwrap();
    }

    /// One command to the browser's own tools.
    pub(crate) fn cdp(&self, command: &str, parameters: Value) -> Value {
        self.runtime.block_on(self.driver().cdp().send_raw(command, parameters)).unwrap()
    }

    /// What a script returns; `arguments` are its `arguments`.
    pub(crate) fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.runtime.block_on(self.driver().execute(script, arguments)).unwrap().json().clone()
    }

    /// What an async function body returns.
    pub(crate) fn run_async(&self, body: &str, arguments: Vec<Value>) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; const given = [...arguments];
             (async () => {{ {body} }})().then((value) => done({{value}}), (error) => done({{error: String(error)}}));"
        );
        // A page that goes to another one takes its script with it: once more on the new one.
        let run = || self.runtime.block_on(self.driver().execute_async(script.clone(), arguments.clone()));
        let answer = run().or_else(|_| run()).unwrap().json().clone();
        assert!(answer.get("error").is_none(), "the page's script failed: {}", answer["error"]);
        answer["value"].clone()
    }

    /// Waits until an expression is true in the page and returns how long that took. It is looked at every ten
    /// milliseconds; the longest gap between two looks is taken off, half a second of it at most: so long the machine
    /// stood still, and the page with it.
    pub(crate) fn wait(&self, what: &str, expression: &str, bound: Duration) -> Duration {
        let body = format!(
            "const from = performance.now();
             let [last, gap] = [from, 0];
             for (;;) {{
                 let is = false;
                 try {{ is = Boolean({expression}); }} catch {{ /* not there yet */ }}
                 const now = performance.now();
                 [last, gap] = [now, Math.max(gap, now - last)];
                 if (is) return Math.max(0, Math.round(now - from - Math.min(gap, 500)));
                 if (now - from > given[0]) return null;
                 await new Promise((go) => setTimeout(go, 10));
             }}"
        );
        let millis = u64::try_from(bound.as_millis()).unwrap();
        let took = self.run_async(&body, vec![millis.into()]);
        let Some(took) = took.as_u64() else {
            panic!("{what}: not within {bound:?}; the page says: {}", self.text("body"));
        };
        Duration::from_millis(took)
    }

    /// The text that an element shows.
    pub(crate) fn text(&self, css: &str) -> String {
        let text = self.run("return document.querySelector(arguments[0]).innerText", vec![css.into()]);
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Clicks an element with the mouse.
    pub(crate) fn click(&self, css: &str) {
        self.runtime.block_on(async {
            click(&self.driver().find(By::Css(css)).await.unwrap()).await;
        });
    }

    /// Clicks the visible button that begins with this label.
    pub(crate) fn click_button(&self, label: &str) {
        let xpath = format!("//button[starts-with(normalize-space(.), '{label}')]");
        self.runtime.block_on(async {
            for button in self.driver().find_all(By::XPath(xpath)).await.unwrap() {
                if button.is_displayed().await.unwrap() {
                    return click(&button).await;
                }
            }
            panic!("there is no button {label}");
        });
    }

    /// Types into a field in place of what it held.
    pub(crate) fn fill(&self, css: &str, text: &str) {
        self.runtime.block_on(async {
            let field = self.driver().find(By::Css(css)).await.unwrap();
            field.clear().await.unwrap();
            field.send_keys(text).await.unwrap();
        });
    }

    /// A key goes down (or, held, repeats) or up; `code` is its place, such as `ShiftLeft` or `Space`.
    pub(crate) fn key(&self, code: &str, event: KeyEvent) {
        let (key, number) = match code {
            "ShiftLeft" | "ShiftRight" => ("Shift", 16),
            "Space" => (" ", 32),
            _ => panic!("a key that no test needed yet: {code}"),
        };
        let kind = if event == KeyEvent::Up { "keyUp" } else { "rawKeyDown" };
        self.cdp(
            "Input.dispatchKeyEvent",
            json!({"type": kind, "code": code, "key": key, "windowsVirtualKeyCode": number,
                   "autoRepeat": event == KeyEvent::Repeat}),
        );
    }

    /// A picture of what is seen.
    pub(crate) fn shot(&self, path: &Path) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        self.runtime.block_on(self.driver().screenshot(path)).unwrap();
    }
}

/// What happens to a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyEvent {
    Down,
    Repeat,
    Up,
}

/// In the middle of the screen nothing that sticks to an edge lies over it.
async fn click(element: &WebElement) {
    let script = "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})";
    element.handle().execute(script, vec![element.to_json().unwrap()]).await.unwrap();
    element.click().await.unwrap();
}

fn port_of(output: &mut impl std::io::BufRead) -> u16 {
    let told = output.lines().map_while(Result::ok).find_map(|line| {
        let (_, port) = line.split_once("started successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    told.expect("chromedriver says on which port it listens")
}

impl Drop for Browser {
    fn drop(&mut self) {
        if let Some(driver) = self.driver.take() {
            let _ = self.runtime.block_on(async { tokio::time::timeout(Duration::from_secs(5), driver.quit()).await });
        }
        if let Some(group) = rustix::process::Pid::from_raw(i32::try_from(self.process.id()).unwrap_or(0)) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.process.wait();
    }
}
