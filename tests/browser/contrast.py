"""Which texts of a page stand out too little from their ground, also inside elements of our own."""

from tests.browser.watching import quiet

LEAST = 4.5
"""Contrast of a text to its ground that WCAG 2.2 asks for at level AA."""
FAINT = """(least) => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const rgba = colour => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((value, at) => value * a + under[at] * (1 - a));
  const light = colour => colour.map(value => value / 255)
    .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, at) => sum + value * [0.2126, 0.7152, 0.0722][at], 0);
  const above = node => node.assignedSlot || node.parentElement || node.getRootNode().host;
  const middle = text => {
    const range = document.createRange();
    range.selectNode(text);
    const { x, y, width, height } = range.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  const under = (node, [x, y]) => {
    const box = node.getBoundingClientRect();
    return box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
  };
  const paper = rgba(getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor).slice(0, 3);
  const ground = (node, at) => {
    if (!node) return paper;
    const own = under(node, at) ? rgba(getComputedStyle(node).backgroundColor) : [0, 0, 0, 0];
    return own[3] === 1 ? own.slice(0, 3) : over(own, ground(above(node), at));
  };
  const opacity = node => node ? Number(getComputedStyle(node).opacity) * opacity(above(node)) : 1;
  const texts = root => [...root.querySelectorAll('*')].flatMap(node => [
    ...[...node.childNodes].filter(child => child.nodeType === Node.TEXT_NODE && child.data.trim()),
    ...(node.shadowRoot ? texts(node.shadowRoot) : []),
  ]);
  const found = {}, seen = texts(document.body);
  for (const text of seen) {
    const node = text.parentElement;
    const off = node.closest('script, style, noscript, :disabled, [disabled], [aria-disabled="true"]');
    if (off || !node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const behind = ground(node, middle(text)), style = getComputedStyle(node);
    const [r, g, b, a] = rgba(node instanceof SVGElement && style.fill !== 'none' ? style.fill : style.color);
    const [one, two] = [light(over([r, g, b, a * opacity(node)], behind)), light(behind)];
    const contrast = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    if (contrast < least) found[text.data.trim().slice(0, 40)] = contrast.toFixed(2);
  }
  return { faint: found, texts: seen.length };
}"""
SCHEMES = ("light", "dark")


def lit(page):
    """Turns the lights of a page off and on: goes through the schemes with the page in each."""
    for scheme in reversed(SCHEMES):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(300)  # colours change gradually
        quiet(page)  # charts are drawn anew
        yield scheme


def assert_plain_to_see(page, fewest=20):
    """Every text stands out, and there are some; colours that are still changing get some seconds."""
    for scheme in lit(page):
        for _ in range(20):
            seen = page.evaluate(FAINT, LEAST)
            if not seen["faint"]:
                break
            page.wait_for_timeout(250)
        assert seen["faint"] == {} and seen["texts"] >= fewest, scheme
