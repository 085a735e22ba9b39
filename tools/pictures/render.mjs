// Terminal text with colours → SVG with real text, readable on light and dark pages: it brings its own background.

const cell = { width: 8.4, height: 19 }
const margin = { x: 18, top: 44, bottom: 16 }
const colours = { 31: '#ff8080', 32: '#7ee08a', 33: '#f2cc60', 36: '#79d4f1' }
const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Draws lines as a terminal window; `title` is what screen readers say. */
export function render(lines, title) {
  const rows = lines.map(readRuns)
  const columns = Math.max(...rows.map((runs) => runs.reduce((sum, { text }) => sum + widthOf(text), 0)))
  const width = Math.ceil(columns * cell.width + 2 * margin.x)
  const height = margin.top + rows.length * cell.height + margin.bottom
  const lights = ['#ff5f57', '#febc2e', '#28c840'].map((fill, index) => `<circle cx="${22 + index * 20}" cy="20" r="6" fill="${fill}"/>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(title)}">
<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#e6edf3;white-space:pre}.b{font-weight:700}.d{fill:#9aa4af}</style>
<rect width="${width}" height="${height}" rx="9" fill="#161b22" stroke="#444c56"/>
${lights.join('')}
${rows.flatMap(drawRow).join('\n')}
</svg>
`
}

/** The text that a picture shows, line by line, to compare pictures by. */
export function textOf(svg) {
  const rows = new Map()
  for (const [, y, text] of svg.matchAll(/<text [^>]*\by="([\d.]+)"[^>]*>([^<]*)<\/text>/g)) rows.set(y, `${rows.get(y) ?? ''}${text}`)
  return [...rows.values()].join('\n')
}

/** Cuts a line into runs of one look: `\u001b[1m` bold, `[2m` dim, `[31m` … colours, `[0m` none. */
function readRuns(line) {
  const runs = []
  let look = new Set()
  const [first, ...rest] = line.split('\u001b[')
  for (const part of [`0m${first}`, ...rest]) {
    const at = part.indexOf('m')
    const code = part.slice(0, at)
    if (code === '0') look = new Set()
    else look.add(code)
    if (at + 1 < part.length) runs.push({ text: part.slice(at + 1), look: [...look] })
  }
  return runs
}

function drawRow(runs, index) {
  const y = margin.top + (index + 0.75) * cell.height
  let column = 0
  return runs.map(({ text, look }) => {
    const x = margin.x + column * cell.width
    column += widthOf(text)
    const classes = look.flatMap((code) => (code === '1' ? ['b'] : code === '2' ? ['d'] : [])).join(' ')
    const colour = look.map((code) => colours[code]).find((found) => found !== undefined)
    // Fonts differ; a fixed length keeps columns and carets where they belong.
    const fixed = `textLength="${round(widthOf(text) * cell.width)}" lengthAdjust="spacingAndGlyphs"`
    return `<text x="${round(x)}" y="${round(y)}" ${fixed} xml:space="preserve"${classes && ` class="${classes}"`}${colour ? ` style="fill:${colour}"` : ''}>${escapeXml(text)}</text>`
  })
}

const widthOf = (text) => [...text].length
const round = (value) => Math.round(value * 10) / 10
const escapeXml = (text) => text.replace(/[&<>]/g, (found) => escapes[found]).replaceAll('"', '&quot;')
