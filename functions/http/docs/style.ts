import { raw } from "hono/html";

/** The reference page's style; light and dark follow the reader's system. */
export const DOCS_STYLE = raw(`
:root { color-scheme: light dark; --ink: light-dark(#1b1d22, #e7e9ee); --soft: light-dark(#5a6070, #a2a9b8);
  --line: light-dark(#dfe2ea, #323846); --paper: light-dark(#fff, #14171d); --inset: light-dark(#f4f6fa, #1c212a);
  --link: light-dark(#1f4fbf, #8fb4ff); }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 17rem minmax(0, 1fr); color: var(--ink);
  background: var(--paper); font: 1rem/1.55 system-ui, sans-serif; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem; border-right: 1px solid var(--line);
  font-size: 0.9rem; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav > ul > li { margin-bottom: 1rem; font-weight: 600; }
nav li li { font-weight: 400; }
nav li a { display: block; padding: 0.2rem 0; text-decoration: none; }
a { color: var(--link); }
main { max-width: 54rem; padding: 1.5rem 2rem 6rem; }
section { margin: 2rem 0; padding-top: 1rem; border-top: 1px solid var(--line); }
h2 { margin-top: 3rem; }
h3 { font-size: 1.05rem; overflow-wrap: anywhere; }
h4 { margin: 1rem 0 0.3rem; }
.method { font: 700 0.8rem ui-monospace, monospace; padding: 0.15rem 0.4rem; border: 1px solid; border-radius: 0.3rem; }
.access { color: var(--soft); border: 1px solid var(--line); border-radius: 1rem; padding: 0.05rem 0.6rem; font-size: 0.85rem; }
pre { overflow: auto; padding: 0.8rem 1rem; background: var(--inset); border-radius: 0.5rem; font-size: 0.85rem; }
code { font-family: ui-monospace, monospace; font-size: 0.92em; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: 700; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.8rem 0.3rem 0; border-bottom: 1px solid var(--line); }
td p { margin: 0; }
summary { cursor: pointer; padding: 0.2rem 0; }
@media (max-width: 52rem) { body { display: block; } nav { position: static; height: auto; border: 0; } main { padding: 1rem; } }
`);
