import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import { root } from './support/places.ts'
import { walk } from './support/walk.ts'

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number }

const ofTexts = new Set(['includes', 'startsWith', 'endsWith', 'match', 'matchAll', 'search', 'indexOf', 'split', 'replace', 'replaceAll'])
/** These only lay out a text unless what they look for is a word. */
const ofLayout = new Set(['split', 'replace', 'replaceAll', 'indexOf'])
const ofPatterns = new Set(['test', 'exec'])
const nameOfWords = /^(?:message|reason|hint|sentence|fault|problem|fallback|degraded)$|(?:Message|Reason|Hint|Sentence|Fault|Problem)$/

/** The name of what an expression reads, through calls such as `.trim()` and alternatives such as `?? ''`. */
function nameOf(node: Node | undefined): string {
  if (node === undefined) return ''
  const inner = (key: string) => nameOf(node[key] as Node | undefined)
  if (node.type === 'Identifier') return node.name as string
  if (node.type === 'MemberExpression') return inner('property')
  if (node.type === 'CallExpression') {
    const callee = node.callee as Node
    const of = callee.type === 'MemberExpression' ? (callee.object as Node) : undefined
    const called = nameOf(callee)
    return ['trim', 'toLowerCase', 'slice', 'toString'].includes(called)
      ? nameOf(of)
      : called === 'String'
        ? nameOf((node.arguments as Node[])[0])
        : called
  }
  if (node.type === 'LogicalExpression') return inner('left')
  if (node.type === 'ConditionalExpression') return inner('consequent')
  return ['ChainExpression', 'ParenthesizedExpression', 'TSNonNullExpression', 'TSAsExpression', 'AwaitExpression'].includes(node.type)
    ? inner('expression') || inner('argument')
    : ''
}

const isWords = (node: Node | undefined): boolean => nameOfWords.test(nameOf(node))

/** The words of a literal; none for anything else. */
function wordsIn(node: Node): number {
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value.split(' ').filter(Boolean).length : 0
}

/** Whether a literal or a pattern has letters that stand for themselves, or what separates a cause. */
function hasWord({ value, regex }: Node): boolean {
  const pattern = (regex as { readonly pattern: string } | undefined)?.pattern.replace(/\\(?:[pPu]\{[^}]*\}|u[\da-f]{4}|.)/gi, '')
  return /[a-z]{2}|: /i.test(pattern ?? String(value))
}

/** Where a source recognises something by the words of a message: by a pattern, by a part of it, or by the whole sentence. */
function recognised(file: string, source: string): number[] {
  const found: number[] = []
  const at = ({ start }: Node): void => void found.push(source.slice(0, start).split('\n').length)
  const visitor = new Visitor({
    CallExpression(given) {
      const node = given as unknown as Node
      const callee = node.callee as Node
      if (callee.type !== 'MemberExpression') return
      const method = nameOf(callee)
      const [first] = node.arguments as Node[]
      if (ofLayout.has(method) && first?.type === 'Literal' && !hasWord(first)) return
      if (ofTexts.has(method) ? isWords(callee.object as Node) : ofPatterns.has(method) && isWords(first)) at(node)
    },
    BinaryExpression(given) {
      const node = given as unknown as Node
      if (!/^[!=]==?$/.test(node.operator as string)) return
      const [left, right] = [node.left as Node, node.right as Node]
      const words = Math.max(wordsIn(left), wordsIn(right))
      if (words > 2 || (words > 1 && (isWords(left) || isWords(right)))) at(node)
    },
    SwitchCase(given) {
      const node = given as unknown as Node
      if (node.test && wordsIn(node.test as Node) > 2) at(node)
    },
  })
  visitor.visit(parseSync(file, source).program)
  return found
}

test.each([
  [`if (error.message.includes('pipe')) advise()`, 1],
  [`if (/ends too early/.test(fault.message)) skip()`, 1],
  [`if (String(error?.message ?? '').trim().startsWith('the index')) skip()`, 1],
  [`const [kind] = whyUnreadReason.split(': ')`, 1],
  [`if (fault !== 'it is a folder') skip()`, 1],
  [`switch (why) { case 'it is a folder': skip() }`, 1],
  [`if (reason === 'too-large' || kind === 'front matter') skip()`, 0],
  [`if (error.code === 'ENOENT' || text.includes('the')) skip()`, 0],
])('%s recognises a sentence %i times', (source, count) => {
  expect(recognised('source.ts', source)).toHaveLength(count)
})

/** Files and folders that read words in this way, and why these are not ours, or say nothing by their wording. */
const allowed: Readonly<Record<string, string>> = {
  'claude/claude-cli.ts': 'what the command said, which has no codes',
  'text/text-report.ts': 'whether a hint shows the suggestion, whatever it says',
  'src/program.ts': 'errors of Commander, which repeat their level',
  'rules/remote-rules.ts': 'a service is called so in all sentences: it is renamed, not recognised',
  'configuration/schema-complaints.ts': 'the beginning of sentences of Zod',
  'schema/patterns/program.ts': 'the beginning of sentences of V8',
  'code-syntax/inspect.ts': 'whether a message shows the suggestion, whatever it says',
  'run/stored-names.ts': 'finish reasons of providers',
  'grpc/listen.ts': 'errors of gRPC, which name the code of the system in their words',
  '/parser/src/languages/': 'reports of other parsers, which have no codes',
  'testing/message-faults.ts': 'tests how messages are written',
  'local/thread.ts': 'an error of V8, which has no code',
  'kinds/scripted-upstream.ts': 'questions of clients',
  'cases/new-test.ts': 'reasons of records, which are a type',
  'api/try-route.ts': 'reasons of records, which are a type',
  'run/reproduce.ts': 'finish reasons of providers',
}

test('our own messages are recognised by codes and types, never by their words', async () => {
  const found: string[] = []
  const used = new Set<string>()
  for (const path of await walk('packages')) {
    if (!/^packages\/[^/]+\/src\/.*\.ts$/.test(path) || /\.test(?:-d)?\.ts$/.test(path)) continue
    const lines = recognised(path, await readFile(join(root, path), 'utf8'))
    const why = Object.keys(allowed).find((one) => (one.endsWith('/') ? path.includes(one) : path.endsWith(`/${one}`)))
    if (lines.length > 0 && why !== undefined) used.add(why)
    else found.push(...lines.map((line) => `${path}:${line}`))
  }
  expect(found).toEqual([])
  expect(Object.keys(allowed).filter((one) => !used.has(one))).toEqual([])
}, 60_000)
