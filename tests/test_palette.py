"""The theme's colours: what is written in them can be read."""

import pytest

from pages.parts.palette import of

TEXTS = ("text", "muted", "gold", "bad", "slate")


def luminance(colour):
    """Relative luminance by WCAG 2.2."""
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_black_on_white_has_the_most_contrast_there_is():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


@pytest.mark.parametrize("kind", ["light", "dark"])
def test_every_colour_that_serves_as_text_can_be_read_on_ground_and_card(kind):
    colours = of(kind)
    written = {name: getattr(colours, name) for name in TEXTS} | dict(enumerate(colours.places))
    for name, colour in written.items():
        for ground in (colours.ground, colours.card):
            assert contrast(colour, ground) >= 4.5, (name, colour, ground)


@pytest.mark.parametrize("kind", ["light", "dark"])
def test_the_places_of_a_comparison_have_colours_of_their_own(kind):
    places = of(kind).places
    assert len(set(places)) == len(places) == 4


def test_the_two_themes_differ_in_every_colour():
    light, dark = of("light"), of("dark")
    assert not {light.ground, light.text, *light.places} & {dark.ground, dark.text, *dark.places}
