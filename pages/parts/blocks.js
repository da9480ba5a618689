function make(tag, children = [], className = "") {
  const node = document.createElement(tag)
  if (className) node.className = className
  node.append(...(typeof children === "string" ? [document.createTextNode(children)] : children))
  return node
}

function icon(name) {
  const node = make("span", name, "icon")
  node.setAttribute("aria-hidden", "true")
  return node
}

function paint(node, mode) {
  node.style.setProperty("--mode", `var(--st-${mode.colour}-text-color)`)
  return node
}

function span({ text, kind, bold }) {
  const node = make(kind === "code" ? "code" : "span", text, { mark: "mark", dangling: "mark dangling" }[kind] ?? "")
  return bold ? make("strong", [node]) : node
}

function lines(found) {
  return found.flatMap((line, at) => [...(at ? [make("br")] : []), ...line.map(span)])
}

function table(rows) {
  const drawn = rows.map((row, at) => make("tr", row.map((cell) => make(at ? "td" : "th", cell.map(span)))))
  return make("div", [make("table", drawn)], "wide")
}

function block(found) {
  if (found.kind === "code") return make("pre", found.code)
  if (found.kind === "table") return table(found.rows)
  if (found.kind === "text") return make("p", lines(found.lines))
  const label = /^\d/.test(found.label) ? found.label : "•"
  return make("div", [make("span", label, "label"), make("span", lines(found.lines))], found.level ? "item sub" : "item")
}
