/** Lines that are code: what they begin with, end with or hold, outside of backticks, is in no prose. */
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

/** The paragraphs of prose among the lines of a block: code is left out but for its comments, and tables and targets of links as a whole. */
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

/** The comments in code, each without its marks. */
function comments(lines: readonly string[]): readonly (readonly string[])[] {
  const runs: string[][] = [[]]
  for (const line of lines) {
    const text = line.replace(commentStart, '')
    if (text !== line && !isCode(text)) runs.at(-1)?.push(text)
    else runs.push([])
  }
  return runs
}

/** Without the marks of a comment on one line. */
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
