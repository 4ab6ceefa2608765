/** The few DOM helpers of the page. Strings always become text nodes: names of players are untrusted. */

/** The element of the page's own HTML with this id. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new Error(`#${id} is missing`);
  return element;
}

/** A new element with a class and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  element.append(...children);
  return element;
}

/** Brings the children of `parent` in line: what looks the same stays as it is, so that screen readers do not read it again. */
export function update(parent: Element, ...children: (Node | string)[]): void {
  const wanted = children.map((child) => (typeof child === "string" ? document.createTextNode(child) : child));
  for (const [index, child] of wanted.entries()) {
    const present = parent.childNodes[index];
    if (!present) parent.append(child);
    else if (present instanceof Element && isEqual(present, child, false)) update(present, ...child.childNodes);
    else if (!isEqual(present, child, true)) present.replaceWith(child);
  }
  while (parent.childNodes.length > wanted.length) parent.lastChild?.remove();
}

function isEqual(a: Node, b: Node, deep: boolean): boolean {
  return a.cloneNode(deep).isEqualNode(b.cloneNode(deep));
}

/** Whether things should appear in place instead of moving there. */
export function prefersStillness(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
