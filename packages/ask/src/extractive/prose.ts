/**
 * Lines of code: they begin with, end with or contain what prose does not, outside of backticks.
 */
const codeMarks = [
  /(?:[{}([]|\);|=>)\s*$/,
  /=>|&&|\|\||\?\?|::|[=!]=|\/\*|\*\/|(?<!:)\/\//,
  / = (?:new |await |["'[{(])/,
  /^\s*(?:[)\]}]|@\w|(?:const|let|var)\s[\w{[][^=\n]{0,200}=|(?:def|function|fn)\s\w{1,80}[(<]|(?:struct|impl)\s\w)/,
  /^\s*(?:import\s.{0,200}\sfrom\s|export\s(?:const|function|class|type|interface|default)\s|(?:public|private)\s\w{1,80}\s\w{1,80}\(|return\s.{0,200};$)/,
]
const commentStart = /^\s*(?:\/\/+!?|#+!?|--|\*)\s+/
const commentFrame = /^\s*(?:\/\*+|\*+\/|"""|''')\s*$/
const tableRow = /^\s{0,8}\||^\s*:?-+:?\s*\||\s\|\s/
const linkTarget = /^\s*\[[^\]\n]{1,200}\]:/

/**
 * The paragraphs of prose in a block: code is left out except for its comments, and tables and link
 * targets completely.
 */
export function proseOf(lines: readonly string[]): readonly string[] {
  const [first = ''] = lines
  if (linkTarget.test(first) || lines.some((line) => tableRow.test(withoutSpans(line)))) return []
  const paragraphs: string[][] = [[]]
  for (const line of lines) {
    if (commentFrame.test(line)) paragraphs.push([])
    else paragraphs.at(-1)?.push(unframed(line))
  }
  return paragraphs.flatMap((paragraph) => {
    const runs = paragraph.some((line) => isCode(line)) ? comments(paragraph) : [paragraph]
    return runs.map((run) => run.join('\n'))
  })
}

/** The comments in code, without their markers. */
function comments(lines: readonly string[]): readonly (readonly string[])[] {
  const runs: string[][] = [[]]
  for (const line of lines) {
    const text = line.replace(commentStart, '')
    if (text !== line && !isCode(text)) runs.at(-1)?.push(text)
    else runs.push([])
  }
  return runs
}

/** Without the markers of a one-line comment. */
function unframed(line: string): string {
  return line.replace(/^\s*\/\*+\s+/, '// ').replace(/\s\*\/$/, '')
}

function isCode(line: string): boolean {
  const text = withoutSpans(line)
  return codeMarks.some((mark) => mark.test(text))
}

function withoutSpans(line: string): string {
  return line.replace(/`[^`\n]{0,300}`/g, 'x')
}
