// How the demo writes: colours on a terminal that wants them, nothing wider than 80 columns.

const colours = process.stdout.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb'
const paint = (code) => (text) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text)

export const bold = paint(1)
export const dim = paint(2)
export const red = paint(31)
export const green = paint(32)
export const yellow = paint(33)
export const cyan = paint(36)

export function say(text = '') {
  process.stdout.write(`${text}\n`)
}

export function title(number, text) {
  say(`\n${bold(`${number}  ${text}`)}`)
}

/** A line with a word in front; what is too long goes on below it. */
export function row(word, text, colour = (line) => line) {
  wrap(text, 62).forEach((line, index) => {
    const lead = index === 0 ? word.padEnd(12) : ''.padEnd(12)
    say(line === '' ? '' : `   ${dim(lead)}${colour(line)}`)
  })
}

/** Line breaks made visible, so that every character of a text can be seen. */
export function visible(text) {
  return text.replaceAll('\n', '⏎')
}

/** Cuts a text into lines of at most `width` characters, between words where it can. */
export function wrap(text, width) {
  return text.split('\n').flatMap((paragraph) => {
    const lines = ['']
    for (const word of paragraph.split(/(?<= )/)) {
      if ((lines.at(-1) + word).trimEnd().length > width && lines.at(-1) !== '') lines.push('')
      lines[lines.length - 1] += word
    }
    return lines.flatMap((line) => cut(line.trimEnd(), width))
  })
}

/** Cuts a text into pieces of exactly `width` characters, the last one shorter. */
export function cut(text, width) {
  return text === '' ? [''] : (text.match(new RegExp(`.{1,${width}}`, 'gsu')) ?? [])
}

/** One line with the result of a scene. */
export function verdict({ status, reason, attempts }) {
  const colour = { valid: green, repaired: green, unchecked: yellow }[status] ?? red
  row('outcome', `${colour(status)} (${reason}) after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`)
}
