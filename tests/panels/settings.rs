//! What the menu sets of the board itself.

use zeitnot::menu::Item;

use super::Hand;

/// Sound and light are set by edges alone, and that is carried out.
#[test]
fn sound_and_light_are_set_at_the_clock() {
    let mut hand = Hand::plain();
    hand.hold();
    for (item, keys) in [(Item::Sound, 1), (Item::Light, 2)] {
        hand.go_to(item);
        hand.choose();
        (0..keys).for_each(|_| hand.choose());
        assert_eq!(
            (hand.world.snapshot().setup.settings.sound, hand.world.hub().brightness()),
            (item == Item::Light, 80)
        );
        hand.hold();
        hand.choose();
    }
    assert_eq!((&hand.state()["settings"]["sound"], hand.world.hub().brightness()), (&true.into(), 100));
}
