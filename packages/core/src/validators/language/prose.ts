/** What begins a line of code; in a sentence these words are followed by more words than in code. */
const keyword =
  /^(?:import|from|export|package|using|def|class|return|const|let|var|public|private|protected|static|function|func|fn|async|await|print|if|elif|else|for|while|try|except|catch|switch|case|break|continue|end|select|echo|sudo|npm|pip|git|cd|struct|enum|interface|type|namespace|void|int|float|double|bool|char|new|throw|raise|with|yield|local|then|fi|done|do)\b/

/** Code has a sign for so many letters, prose far fewer. */
const lettersPerSign = 8

/** A cell of a table with fewer words is a term. */
const fewestInCell = 4

/** A line with fewer words is a term, a name or a label. */
const fewestInLine = 3

/** A line with a larger share of capitalized words is a list of names, or a title. */
const mostCapitalized = 0.7

/** The prose of a line of text: code, formulas, addresses, quoted words, names and terms are left out. */
export function proseOf(line: string): string {
  let text = line.trim()
  if (text === '' || text.startsWith('>') || text.startsWith('//') || text.startsWith('/*')) return ''
  text = withoutMarkup(text)
  if (text.startsWith('|')) text = cellsOf(text)
  const words = new Words(text)
  if (words.isCode || (keyword.test(text) && !/[.!?]$/.test(text) && (words.signs > 0 || words.count < 5))) return ''
  if (words.isTitle) return ''
  // Latin words between those of another script are terms.
  if (words.others > 0 && words.others >= words.latin) return words.usual.replace(/[A-Za-z]+/g, ' ')
  return /[\u0300-\u036f]/.test(words.usual) ? words.usual.normalize('NFC') : words.usual
}

/** Leaves out code, tags, addresses, formulas, and quoted words in a sentence. */
function withoutMarkup(text: string): string {
  let left = text
  if (left.includes('`')) left = left.replace(/`[^`]*`/g, ' ')
  if (left.includes('<')) left = left.replace(/<[^<>]*>/g, ' ')
  if (left.includes('](')) left = left.replace(/\]\([^()\s]*\)/g, '] ')
  if (left.includes('://')) left = left.replace(/https?:\/\/[!-~]*/g, ' ')
  if (left.includes('$')) left = left.replace(/\$[^$]*\$/g, ' ')
  if (!/["“„«]/.test(left)) return left
  const unquoted = left.replace(/"[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»/g, ' ')
  // What a speaker says is the text itself.
  return new Words(unquoted).isTitle ? left : unquoted
}

/** The cells of a row that hold more than a term. */
function cellsOf(row: string): string {
  const cells = row.split('|')
  return cells.filter((cell) => cell.trim().split(/\s+/, fewestInCell).length === fewestInCell || /[\u2e80-\uffff]{8}/.test(cell)).join(' ')
}

/** What an ASCII character is in a word. */
const kinds = new Uint8Array(128)
const [lower, upper, sign, unusual, joint] = [1, 2, 3, 4, 5]
for (let code = 97; code <= 122; code++) kinds[code] = lower
for (let code = 65; code <= 90; code++) kinds[code] = upper
for (const one of '{}=;<>\\_$^&+@~') kinds[one.charCodeAt(0)] = sign
for (const one of '0123456789/|#%') kinds[one.charCodeAt(0)] = unusual
for (const one of '.:([)') kinds[one.charCodeAt(0)] = joint

/** The words of a line. Those that hold other things than letters are names of files or variables, versions and formulas, and are left out. */
class Words {
  /** The text with the usual words only. */
  usual = ''
  count = 0
  /** How many signs are there that code has more of than prose. */
  signs = 0
  /** Latin letters, and those of other scripts by their weight. */
  latin = 0
  others = 0
  #capitalized = 0
  #hasLower = false

  constructor(text: string) {
    let kept = 0
    for (let at = 0; at < text.length; ) {
      const start = at
      let before = 0
      let first = 0
      let letters = 0
      let isUsual = true
      for (; at < text.length; at++) {
        const code = text.charCodeAt(at)
        if (code <= 32 || code === 0xa0 || (code > 0x24f && !(code >= 0x1e00 && code <= 0x1eff))) break
        const kind = code < 128 ? kinds[code] : kindOf(code)
        if (kind === lower || kind === upper) {
          letters++
          first ||= kind
          if (kind === lower) this.#hasLower = true
          // `camelCase`, `a.b` and `f(x` are not words.
          if ((kind === upper && before === lower) || (before === joint && letters > 1)) isUsual = false
          if (before === joint && letters > 1) this.signs++
        } else if (kind === sign) {
          isUsual = false
          this.signs++
        } else if (kind === unusual) isUsual = false
        before = kind ?? 0
      }
      if (at > start) {
        // The label of a list item is one letter.
        if (letters === 1 && before === joint) isUsual = false
        this.latin += letters
        if (!isUsual) {
          this.usual += `${text.slice(kept, start)} `
          kept = at
        } else if (letters > 0) {
          this.count++
          if (first === upper) this.#capitalized++
        }
      }
      for (; at < text.length; at++) {
        const code = text.charCodeAt(at)
        if (code > 32 && code !== 0xa0 && (code <= 0x24f || (code >= 0x1e00 && code <= 0x1eff))) break
        if (code >= 0x3040) this.others += 3
        else if (code >= 0x370 && code < 0x1e00) this.others++
      }
    }
    this.usual = kept === 0 ? text : this.usual + text.slice(kept)
  }

  /** Whether the line is more likely code than prose. */
  get isCode(): boolean {
    return this.signs > 0 && this.signs * lettersPerSign >= this.latin + this.others
  }

  /** Whether the line is too short to be prose, or made of names. */
  get isTitle(): boolean {
    if (this.others > 0) return false
    return this.count < fewestInLine || (this.#hasLower && this.#capitalized > this.count * mostCapitalized)
  }
}

/** What a Latin letter beyond ASCII is in a word. */
function kindOf(code: number): number {
  const letter = String.fromCharCode(code)
  if (letter.toUpperCase() !== letter) return lower
  return letter.toLowerCase() === letter ? 0 : upper
}
