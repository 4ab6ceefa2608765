/** Rows that glide to their new places (first, last, invert, play). */
import { prefersStillness } from "./dom.ts";

const GLIDE: KeyframeAnimationOptions = { duration: 650, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" };

/** Changes the list by `change` and lets every element that has moved by it glide from where it was. */
export function glide(list: HTMLElement, change: () => void): void {
  if (prefersStillness() || document.hidden) return change();
  const before = new Map([...list.children].map((element) => [element, element.getBoundingClientRect().top]));
  for (const element of list.children)
    for (const running of element.getAnimations()) if (!isNamed(running)) running.cancel();
  change();
  for (const element of list.children) {
    const from = before.get(element);
    const by = from === undefined ? 0 : from - element.getBoundingClientRect().top;
    if (from === undefined) element.animate([{ opacity: 0, transform: "translateX(-1.5rem)" }, {}], GLIDE);
    else if (Math.abs(by) > 1) element.animate([{ transform: `translateY(${by}px)` }, {}], GLIDE);
  }
}

/** Animations of the style sheet run on. */
function isNamed(animation: Animation): boolean {
  return animation instanceof CSSAnimation || animation instanceof CSSTransition;
}
