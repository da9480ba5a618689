const reached = new WeakMap()

export default function ({ data, parentElement }) {
  const host = parentElement.host
  if (!data.move || reached.get(host) === data.move) return
  reached.set(host, data.move)
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches
  requestAnimationFrame(() => {
    const { top } = host.getBoundingClientRect()
    if (top > 0 && top < 0.6 * window.innerHeight) return
    host.style.scrollMarginTop = "25vh"
    host.scrollIntoView({ block: "start", behavior: calm ? "auto" : "smooth" })
  })
}
