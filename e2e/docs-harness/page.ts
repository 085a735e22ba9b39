/** One fenced block of a page. */
export interface Block {
  /** Line of the page on which the first line of the block's text stands, counted from 1. */
  readonly line: number
  readonly language: string
  readonly text: string
  /** Write the text to this file. */
  readonly file?: string
  /** Why the block is not run. */
  readonly noRun?: string
  /** A file of the page whose lines a provider answers with while the block runs. */
  readonly answers?: string
  /** Whether this is what the block before it prints. */
  readonly isOutput: boolean
}

/** A page that breaks the conventions of CONTRIBUTING.md. */
export class PageError extends Error {
  override readonly name = 'PageError'
  constructor(page: string, line: number, message: string) {
    super(`${page}:${line}: ${message}`)
  }
}

const runnable = new Set(['ts', 'js', 'console'])
const aliases: Readonly<Record<string, string>> = { typescript: 'ts', javascript: 'js' }

/** Whether the harness runs blocks of this kind. */
export function isRun({ language, file, noRun }: Block): boolean {
  return runnable.has(language) && file === undefined && noRun === undefined
}

/** Reads the fenced blocks of a Markdown page, those in HTML comments too. */
export function readPage(page: string, markdown: string): Block[] {
  const blocks: Block[] = []
  const lines = markdown.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const fence = /^( *)(`{3,}|~{3,})(.*)$/.exec(lines[at] ?? '')
    if (!fence) continue
    const [, indent = '', marks = '', info = ''] = fence
    const first = at + 1
    const end = lines.findIndex((line, index) => index >= first && closes(line, marks))
    if (end === -1) throw new PageError(page, first, 'this fence is never closed')
    const text = lines.slice(first, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()))
    blocks.push({ line: first + 1, text: text.join('\n'), ...readInfo(page, first, info.trim()) })
    at = end
  }
  checkOutputs(page, blocks)
  return blocks
}

function closes(line: string, marks: string): boolean {
  const trimmed = line.trim()
  return trimmed.length >= marks.length && [...trimmed].every((character) => character === marks[0])
}

type Info = Pick<Block, 'language' | 'file' | 'noRun' | 'answers' | 'isOutput'>

function readInfo(page: string, line: number, info: string): Info {
  const [word = '', ...words] = info.match(/[^\s="]+="[^"]*"|\S+/g) ?? []
  const language = aliases[word] ?? word
  const options = new Map(words.map((option) => [option.split('=', 1)[0] ?? '', option.replace(/^[^=]*=?/, '').replace(/^"(.*)"$/, '$1')]))
  const file = options.get('file')
  const noRun = options.get('no-run')
  const answers = options.get('answers')
  if (noRun === '') throw new PageError(page, line, 'no-run needs a reason: no-run="needs a key"')
  if (file === '' || file?.startsWith('/') || file?.split('/').includes('..')) {
    throw new PageError(page, line, 'file= needs the name of a file in the folder of the page')
  }
  if (runnable.has(language) || file !== undefined) {
    // A typing error such as `norun` must not quietly change what is tested.
    const unknown = [...options.keys()].filter((name) => !['file', 'no-run', 'answers', 'output'].includes(name))
    if (unknown.length > 0) throw new PageError(page, line, `unknown word after ${language}: ${unknown.join(', ')}`)
  }
  return {
    language,
    isOutput: options.has('output'),
    ...(file === undefined ? {} : { file }),
    ...(noRun === undefined ? {} : { noRun }),
    ...(answers === undefined ? {} : { answers }),
  }
}

/** The answers that a block is given by its provider: the lines of a file, wherever the page has it. */
export function answersFor(page: string, { line, answers }: Block, blocks: readonly Block[]): readonly string[] | undefined {
  if (answers === undefined) return undefined
  const script = blocks.find(({ file }) => file === answers)
  if (script === undefined) throw new PageError(page, line - 1, `the page has no file ${answers}`)
  return script.text.split('\n')
}

function checkOutputs(page: string, blocks: readonly Block[]): void {
  for (const [index, block] of blocks.entries()) {
    if (!block.isOutput) continue
    const before = blocks[index - 1]
    const printer = before && ['ts', 'js'].includes(before.language) && before.file === undefined
    if (!printer) throw new PageError(page, block.line - 1, 'an output block must follow the ts or js block that prints it')
  }
}
