/** The style of the page; it loads nothing. */
export const pageStyle = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --valid: #2f855a; --repaired: #2b6cb0; --unresolved: #c53030; --unchecked: #b7791f }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1rem }
h1, h2, li, p { overflow-wrap: anywhere } h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { border-collapse: collapse } td, th { border-bottom: 1px solid var(--line); padding: .2rem .8rem .2rem 0; min-width: 5rem; max-width: 24rem; overflow-wrap: break-word; text-align: left; vertical-align: top }
.wide { overflow-x: auto } #table { min-width: 40rem }
ul { padding-left: 1.2rem } svg { display: block; margin-top: 1rem; max-width: 100%; height: auto } svg text { fill: currentColor; font: 12px system-ui, sans-serif }
.valid { fill: var(--valid); color: var(--valid) } .repaired { fill: var(--repaired); color: var(--repaired) }
.unresolved { fill: var(--unresolved); color: var(--unresolved) } .unchecked { fill: var(--unchecked); color: var(--unchecked) }
.axis { stroke: currentColor; stroke-opacity: .3 } .range { stroke: currentColor; stroke-width: 2 }
form { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: .5rem 0 }
input, select { font: inherit; padding: .2rem .4rem }
#rows { border: 1px solid var(--line); height: 28rem; overflow: auto; position: relative }
#rows:focus-visible { outline: 2px solid var(--repaired) }
.row { box-sizing: border-box; display: grid; grid-template-columns: minmax(0, 3fr) minmax(5.5rem, 1fr) minmax(5.5rem, 1fr) minmax(0, 4fr) minmax(3.5rem, 1fr); gap: .8rem; height: 28px; left: 0; padding: 2px 8px; position: absolute; right: 0; white-space: nowrap; cursor: pointer }
.row:hover, .row.chosen { background: var(--soft) } .row > span { overflow: hidden; text-overflow: ellipsis }
.head { border: 1px solid var(--line); border-bottom: 0; cursor: default; font-weight: 600; position: static }
#detail { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); padding: .5rem; margin-top: .5rem; min-height: 4rem }
`

/** The script of the page: draws only the rows that are visible, and writes texts as texts. */
export const pageScript = `
'use strict'
{
  const { rows } = JSON.parse(document.getElementById('data').textContent)
  const height = 28
  const at = (id) => document.getElementById(id)
  const list = at('rows'), space = at('space'), shown = at('shown'), detail = at('detail'), form = at('filter')
  const search = rows.map((row) => [row.id, row.model ?? '', ...row.after.errors, ...row.after.fixed, ...row.after.repairs, ...row.after.unchecked, row.text ?? ''].join('\\n').toLowerCase())
  const rank = { valid: 0, repaired: 0, unresolved: 1, unchecked: 1 }
  let found = rows.map((_, index) => index), chosen = -1, drawn = ''
  const cell = (text, name) => {
    const span = document.createElement('span')
    span.setAttribute('role', 'cell')
    span.textContent = text
    span.title = text
    if (name) span.className = name
    return span
  }
  const draw = () => {
    const first = Math.max(0, Math.floor(list.scrollTop / height) - 10)
    const last = Math.min(found.length, Math.ceil((list.scrollTop + list.clientHeight) / height) + 10)
    const key = [first, last, chosen, found.length, found[first]].join()
    if (key === drawn) return
    drawn = key
    const made = []
    for (let place = first; place < last; place++) {
      const row = rows[found[place]]
      const line = document.createElement('div')
      line.className = found[place] === chosen ? 'row chosen' : 'row'
      line.setAttribute('role', 'row')
      line.setAttribute('aria-rowindex', place + 2)
      line.style.top = place * height + 'px'
      line.dataset.row = found[place]
      line.append(cell(row.id), cell(row.before ? row.before.status : '', row.before && row.before.status), cell(row.after.status, row.after.status),
        cell([...row.after.errors, ...row.after.unchecked, ...row.after.repairs].join(', ')), cell(row.label ?? ''))
      made.push(line)
    }
    space.replaceChildren(...made)
  }
  const filter = () => {
    const text = form.elements.text.value.trim().toLowerCase(), status = form.elements.status.value, change = form.elements.change.value
    found = []
    for (let index = 0; index < rows.length; index++) {
      const { before, after } = rows[index]
      if (status && after.status !== status) continue
      if (change && !before) continue
      if (change === 'changed' && before.status === after.status) continue
      if (change === 'worse' && rank[after.status] <= rank[before.status]) continue
      if (change === 'better' && rank[after.status] >= rank[before.status]) continue
      if (text && !search[index].includes(text)) continue
      found.push(index)
    }
    space.style.height = found.length * height + 'px'
    at('table').setAttribute('aria-rowcount', found.length + 1)
    shown.textContent = found.length + ' of ' + rows.length
    drawn = ''
    draw()
  }
  const choose = (index) => {
    const row = rows[index]
    if (!row) return
    chosen = index
    const { text, ...rest } = row
    detail.textContent = JSON.stringify(rest, null, 2) + (text === undefined ? '' : '\\n\\n' + text)
    draw()
  }
  list.addEventListener('scroll', draw, { passive: true })
  new ResizeObserver(draw).observe(list)
  list.addEventListener('click', (event) => {
    const line = event.target.closest('.row')
    if (line) choose(Number(line.dataset.row))
  })
  list.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || found.length === 0) return
    event.preventDefault()
    const place = Math.min(found.length - 1, Math.max(0, found.indexOf(chosen) + step))
    if (place * height < list.scrollTop) list.scrollTop = place * height
    if ((place + 1) * height > list.scrollTop + list.clientHeight) list.scrollTop = (place + 1) * height - list.clientHeight
    choose(found[place])
  })
  form.addEventListener('input', filter)
  form.addEventListener('submit', (event) => event.preventDefault())
  filter()
}
`
