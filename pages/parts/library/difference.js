function make(tag, text, className, role) {
  const node = document.createElement(tag)
  if (text !== undefined) node.textContent = text
  if (className) node.className = className
  if (role) node.setAttribute("role", role)
  return node
}

function sign(line, names) {
  const node = make("span", line.sign, "sign")
  if (names[line.kind]) {
    node.setAttribute("role", "img")
    node.setAttribute("aria-label", names[line.kind])
  }
  return node
}

function row(line, names) {
  const node = make("div", undefined, `line ${line.kind}`, "listitem")
  const text = make("span", undefined, "text")
  text.append(...line.parts.map(part => make(part.marked ? "mark" : "span", part.text)))
  node.append(make("span", line.before, "number"), make("span", line.after, "number"), sign(line, names), text)
  return node
}

export default function ({ data, parentElement }) {
  const list = parentElement.querySelector(".difference")
  list.setAttribute("role", "list")
  list.setAttribute("aria-label", data.title)
  list.replaceChildren(...data.lines.map(line => row(line, data.names)))
}
