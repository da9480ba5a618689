const watched = new WeakMap()
const WORD = /\s*(?:[\p{Script=Latin}\p{Script=Cyrillic}\p{N}]+|\S)[，。；：、！？,.;:!?”’」』）)\]]*/gu

/* Where the text may be cut: behind a word or a Chinese character, a mark, a line of code, a row of a table. */
function places(text) {
  const found = []
  const walk = document.createTreeWalker(text, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) => {
    if (node.parentElement.closest(".mark, tr") || node.className === "label") return NodeFilter.FILTER_REJECT
    return NodeFilter.FILTER_ACCEPT
  })
  while (walk.nextNode()) {
    const node = walk.currentNode
    const pattern = node.parentElement.closest("pre") ? /[^\n]*\n?/g : WORD
    if (node.nodeType === Node.TEXT_NODE)
      for (const { index, 0: word } of node.data.matchAll(pattern)) if (word) found.push([node, index, index + word.length])
    if (node.nodeType === Node.ELEMENT_NODE && node.matches(".mark, tr")) found.push([node])
  }
  return found
}

function over([node, start, end]) {
  const range = document.createRange()
  if (start === undefined) range.selectNode(node)
  else {
    range.setStart(node, start)
    range.setEnd(node, end)
  }
  return range
}

function cut(text, place) {
  text.querySelector(".more")?.remove()
  const rest = over(place)
  rest.collapse(false)
  rest.setEnd(text, text.childNodes.length)
  rest.deleteContents()
  const more = make("span", "…", "more")
  const row = place[0].parentElement?.closest("table")
  if (row) row.parentElement.after(more)
  else place[0].after(more)
}

/* Whether the last block only announces what was cut off. */
function announces(block) {
  return [...block.childNodes].every((node) => node.nodeName === "STRONG" || node.className === "more")
}

function fit(text) {
  const tall = () => text.scrollHeight > text.clientHeight
  if (!tall()) return
  const found = places(text)
  const limit = text.getBoundingClientRect().bottom
  let [low, high] = [0, found.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (over(found[middle]).getBoundingClientRect().bottom <= limit) low = middle + 1
    else high = middle
  }
  let at = Math.max(0, low - 1)
  cut(text, found[at])
  while (at > 0 && (tall() || (text.children.length > 1 && announces(text.lastElementChild)))) cut(text, found[--at])
}

function note({ text, icon: name, bad }) {
  return make("p", [icon(name), make("span", text)], bad ? "note bad" : "note")
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".folded")
  if (!data) return
  paint(root, data)
  root.style.height = `${data.height}px`
  let width = 0
  function show() {
    if (root.clientWidth === width) return
    width = root.clientWidth
    const text = make("div", data.blocks.map(block), "answer")
    root.replaceChildren(text, ...data.notes.map(note))
    fit(text)
  }
  watched.get(root)?.disconnect()
  const watch = new ResizeObserver(show)
  watched.set(root, watch)
  watch.observe(root)
  show()
  return () => watch.disconnect()
}
