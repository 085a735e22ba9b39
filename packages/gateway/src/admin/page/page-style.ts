/** The style of the page: small screens first, light and dark, no font or picture from elsewhere. */
export const pageStyle = `:root {
  color-scheme: light dark;
  --ground: #fff;
  --raised: #f4f5f7;
  --line: #d5d9e0;
  --text: #1b1f27;
  --quiet: #59616f;
  --focus: #0b57d0;
  --valid: #1a7f47;
  --repaired: #0b57d0;
  --unresolved: #b3261e;
  --unchecked: #8a5a00;
  --failed: #8c1d6b;
  --unenforced: #5f6875;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171c;
    --raised: #1e232b;
    --line: #363d49;
    --text: #e6e9ef;
    --quiet: #a2abba;
    --focus: #8ab4f8;
    --valid: #5fd08f;
    --repaired: #8ab4f8;
    --unresolved: #ff8a80;
    --unchecked: #f0b95a;
    --failed: #f29bd4;
    --unenforced: #a2abba;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
body > header, main { max-width: 72rem; margin: 0 auto; padding: 0 1rem; }
header { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: center; justify-content: space-between; }
#status { color: var(--quiet); margin: 0; flex: 1; }
h1 { font-size: 1.5rem; margin: 1rem 0; }
h2 { font-size: 1.2rem; margin: 1.5rem 0 .5rem; }
h3 { font-size: 1.05rem; margin: 1.25rem 0 .5rem; }
h4 { font-size: 1rem; margin: .5rem 0; }
ul, ol { margin: .5rem 0; padding-left: 1.25rem; }
.quiet { color: var(--quiet); }
button, input, select { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--line); border-radius: .375rem; padding: .4rem .75rem; }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
#key-form { max-width: 28rem; display: grid; gap: .5rem; }
#key-form p { margin: 0; }
#totals, #parser { list-style: none; padding: 0; display: grid; gap: .5rem; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); }
.tile { display: grid; background: var(--raised); border-left: .25rem solid var(--line); border-radius: .375rem; padding: .5rem .75rem; }
.tile strong { font-size: 1.4rem; line-height: 1.2; }
#strip { display: block; width: 100%; height: 5rem; background: var(--raised); border-radius: .375rem; }
.ground { fill: transparent; }
rect.valid { fill: var(--valid); }
rect.repaired { fill: var(--repaired); }
rect.unresolved { fill: var(--unresolved); }
rect.unchecked { fill: var(--unchecked); }
rect.failed { fill: var(--failed); }
rect.unenforced, rect.other { fill: var(--unenforced); }
.tile.valid { border-color: var(--valid); }
.tile.repaired { border-color: var(--repaired); }
.tile.unresolved { border-color: var(--unresolved); }
.tile.unchecked { border-color: var(--unchecked); }
.tile.failed { border-color: var(--failed); }
.tile.unenforced { border-color: var(--unenforced); }
.badge { border: 1px solid; border-radius: 1rem; padding: 0 .6rem; white-space: nowrap; color: var(--unenforced); }
.badge.valid { color: var(--valid); }
.badge.repaired { color: var(--repaired); }
.badge.unresolved { color: var(--unresolved); }
.badge.unchecked { color: var(--unchecked); }
.badge.failed { color: var(--failed); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .35rem .6rem; border-bottom: 1px solid var(--line); font-weight: normal; }
thead th { color: var(--quiet); white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.name { max-width: 14rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.name, code, dd, pre { unicode-bidi: isolate; }
.link { background: none; border: 0; padding: .35rem 0; color: var(--focus); text-decoration: underline; white-space: nowrap; font-variant-numeric: tabular-nums; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere; }
pre { background: var(--raised); border-radius: .375rem; margin: .25rem 0; padding: .5rem; white-space: pre-wrap; max-height: 24rem; overflow: auto; }
details { margin: .5rem 0; }
summary { cursor: pointer; }
dl { display: grid; gap: .25rem 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); margin: .5rem 0; }
dl > div { display: flex; gap: .5rem; min-width: 0; }
dt { color: var(--quiet); white-space: nowrap; }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
article { border-left: .25rem solid var(--line); padding-left: .75rem; margin: .75rem 0; }
.change { display: grid; gap: .25rem; }
.change del, .change ins { display: block; text-decoration: none; min-width: 0; }
.change del pre { border-left: .25rem solid var(--unresolved); }
.change ins pre { border-left: .25rem solid var(--valid); }
.arrow { color: var(--quiet); text-align: center; }
dialog { width: 60rem; max-width: 100%; max-height: 100%; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: .5rem; padding: 0 1rem 1rem; }
dialog > header { position: sticky; top: 0; background: var(--ground); padding: .5rem 0; }
dialog h2 { margin: 0; }
dialog::backdrop { background: rgb(0 0 0 / 50%); }
@media (min-width: 48rem) {
  .change { grid-template-columns: 1fr auto 1fr; align-items: center; }
}
@media (max-width: 48rem) {
  .wide { display: none; }
  .name { max-width: 8rem; }
  th, td { padding: .35rem .4rem; }
  dialog { width: 100%; height: 100%; border: 0; border-radius: 0; }
}
`
