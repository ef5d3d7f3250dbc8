# Read by the benches, not run. What they fetch and build stays in target/bench. Nothing is passed over in silence: what
# cannot be installed fails with its reason.
set -euo pipefail
bench=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$bench/../.." && pwd)
work=$root/target/bench
target=x86_64-unknown-linux-musl
mkdir -p "$work"

say() { printf '\n-- %s (%s)\n' "$1" "$(date +%T)"; }
fail() { echo "$1" >&2; exit 1; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }
[ "$(uname -m)" = x86_64 ] || fail "the benches need an amd64 machine, this one is $(uname -m)"

install_missing() {
  local missing=() package
  for package in "$@"; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
  done
  [ "${#missing[@]}" = 0 ] && return
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    -o DPkg::Lock::Timeout=300 "${missing[@]}" >/dev/null || fail "cannot install ${missing[*]}"
}

# One build for all benches, the program among them: static, and without link-time optimisation.
build() {
  install_missing build-essential musl-tools
  # The cryptography of TLS has C and assembler in it.
  export CC_x86_64_unknown_linux_musl=musl-gcc
  rustup target list --installed | grep -qx "$target" || rustup target add "$target"
  cp "$root/Cargo.lock" "$bench/Cargo.lock"
  CARGO_TARGET_DIR=$work/cargo cargo build --quiet --release --target "$target" --manifest-path "$bench/Cargo.toml"
  built=$work/cargo/$target/release
}

# Unoptimised and without what a debugger wants: it is built faster than it would be quick.
install_cargo_deb() {
  command -v cargo-deb >/dev/null || CARGO_PROFILE_DEV_DEBUG=0 cargo install --quiet --locked --debug cargo-deb ||
    fail "cannot install cargo-deb"
}

# The kernel as it is, and the modules that Debian does not build: gpio-sim with irq_sim from the kernel's own source,
# and spitap, our virtual controller.
for_kernel=(qemu-system-x86 busybox-static cpio kmod build-essential xz-utils linux-headers-amd64)
fetch_kernel() {
  install_missing "${for_kernel[@]}"
  version=$(dpkg-query -W -f '${Depends}' linux-headers-amd64 | sed -n 's/.*linux-headers-\([0-9][^ ,]*\).*/\1/p')
  kernel=$work/kernel-$version modules=$work/modules-$version
  if [ ! -d "$kernel" ]; then
    rm -rf "$work/fetch"; mkdir -p "$work/fetch"
    (cd "$work/fetch"
      packages=("linux-image-$version" "linux-source-${version%%.*}.$(cut -d. -f2 <<<"$version")")
      download() { apt-get -qq -o APT::Sandbox::User=root download "${packages[@]}"; }
      download 2>/dev/null || { as_root apt-get update -qq; download; } || fail "cannot download ${packages[*]}"
      dpkg -x linux-image-*.deb kernel
      mkdir modules
      dpkg --fsys-tarfile linux-source-*.deb | tar -xO --wildcards './usr/src/linux-source-*.tar.xz' | xz -dc -T2 |
        tar -x -C modules --strip-components=3 --wildcards \
          '*/drivers/gpio/gpio-sim.c' '*/drivers/gpio/gpiolib.h' '*/kernel/irq/irq_sim.c'
      depmod -b kernel "$version"
      rm -rf "$modules"; mv modules "$modules"; mv kernel "$kernel")
    rm -rf "$work/fetch"
  fi
  if [ ! -e "$modules/spitap.ko" ] || [ "$bench/spitap.c" -nt "$modules/spitap.ko" ]; then
    (cd "$modules"
      [ -e gpio-sim-core.c ] || mv gpio-sim.c gpio-sim-core.c
      cp "$bench/spitap.c" .
      # Debian has IRQ_SIM off, so it goes into the same module; irq_to_desc is not exported.
      sed -i -e 's/^EXPORT_SYMBOL_GPL.*//' -e 's/irq_to_desc(irqnum)/irq_data_to_desc(irq_get_irq_data(irqnum))/' \
        -e '/include <linux\/irq.h>/a #include <linux/irqdesc.h>' irq_sim.c
      printf 'obj-m := gpio-sim.o spitap.o\ngpio-sim-y := gpio-sim-core.o irq_sim.o\n' >Makefile
      make -s -C "/lib/modules/$version/build" M="$PWD" modules >make.log 2>&1 || { cat make.log >&2; exit 1; }
      strip -g ./*.ko)
  fi
}

# A machine whose first program is tests/bench/init, which runs the given one: image NAME PROGRAM [MODULE ...]
image() {
  local name=$1 program=$2 disk=$work/$1.d module; shift 2
  rm -rf "$disk"
  mkdir -p "$disk"/{bin,dev,proc,sys,tmp,lib,etc,mnt}
  cp /bin/busybox "$bench/init" "$disk/bin/"; mv "$disk/bin/init" "$disk/init"
  cp "$built/zeitnot" "$disk/bin/"; cp "$built/$program" "$disk/bin/bench"
  # In the order in which they need each other; what is built in has no file.
  for module in configfs "$@"; do
    /sbin/modprobe -d "$kernel" -S "$version" --show-depends "$module" | sed -n 's/^insmod \([^ ]*\).*/\1/p'
  done | awk '!seen[$0]++' >"$work/$name.modules"
  xargs -r -a "$work/$name.modules" cp -t "$disk/lib"
  sed 's!.*/!!' "$work/$name.modules" >"$disk/lib/order"
  cp "$modules"/{gpio-sim,spitap}.ko "$disk/lib/"
  (cd "$disk" && find . | cpio -o -H newc 2>/dev/null | gzip -1 >"$work/$name.gz")
}

# The command that switches it on: machine NAME. The kernel's check of its timer gives up on a machine that is emulated
# slowly; it is left out.
machine() {
  qemu=(qemu-system-x86_64 -M pc -nic none -accel tcg,thread=multi -cpu max -smp 2 -m 512 -nographic -no-reboot
    -kernel "$kernel/boot/vmlinuz-$version" -initrd "$work/$1.gz" -append "console=ttyS0 panic=-1 quiet reboot=t no_timer_check")
}
