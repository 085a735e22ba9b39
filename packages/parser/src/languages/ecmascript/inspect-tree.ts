/** What older engines do not know yet, or what is too much for them: no reason to reject. */
const excused = /duplicate capture group name|invalid property name|too large|too many captures|stack/i

/** Why a regular expression is not one; undefined when it may be. The running engine reads it, with the newer syntax taken out. */
function regExpFault(pattern: string, flags: string): string | undefined {
  try {
    // Modifiers, as in (?i:…), are newer than the oldest engine.
    // backtracks: it is compiled, and never run
    new RegExp(pattern.replace(/\(\?[ims]*(?:-[ims]*)?:/g, '(?:'), flags)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? (/: ([^:]*)$/.exec(error.message)?.[1] ?? '') : ''
    return excused.test(reason) || !(error instanceof SyntaxError) || reason === ''
      ? undefined
      : reason.charAt(0).toLowerCase() + reason.slice(1)
  }
}

/** A fault that the parser lets pass, in the parser's form. */
interface TreeFault {
  readonly message: string
  readonly helpMessage: string | null
  readonly labels: { readonly start: number; readonly end: number; readonly message: string | null }[]
}

/** What the tree of a program shows. */
export interface TreeFinding {
  readonly faults: readonly TreeFault[]
  /** The offsets of the names of class members. */
  readonly memberKeys: ReadonlySet<number>
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

const assertions: ReadonlySet<string> = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSTypeAssertion'])

/** Looks at every node of a program, without recursion: programs may be nested deeply. */
export function inspectTree(program: unknown): TreeFinding {
  const faults: TreeFault[] = []
  const memberKeys = new Set<number>()
  const waiting: unknown[] = [program]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    if (isNode(next)) inspect(next, faults, memberKeys)
    for (const child of Object.values(next)) if (typeof child === 'object' && child !== null) waiting.push(child)
  }
  return { faults: faults.sort((one, other) => (one.labels[0]?.start ?? 0) - (other.labels[0]?.start ?? 0)), memberKeys }
}

function inspect(node: Node, faults: TreeFault[], memberKeys: Set<number>): void {
  const { type } = node
  if (type === 'ClassBody') {
    for (const member of Array.isArray(node.body) ? node.body : []) if (isNode(member.key)) memberKeys.add(member.key.start)
  } else if (type === 'Literal' && isRegExp(node.regex)) {
    const reason = regExpFault(node.regex.pattern, node.regex.flags)
    if (reason !== undefined) faults.push(faultOf(node, `Correct this regular expression: ${reason}.`))
  } else if ((type === 'AssignmentExpression' || type === 'AssignmentPattern') && isBareAssertion(node, node.left))
    faults.push(faultOf(node.left, 'Put the assertion in parentheses before you assign to it.'))
}

/** With parentheses around it, the assignment starts before the assertion. */
function isBareAssertion({ start }: Node, left: unknown): left is Node {
  return isNode(left) && assertions.has(left.type) && left.start === start
}

function faultOf({ start, end }: Node, message: string): TreeFault {
  return { message, helpMessage: null, labels: [{ start, end, message: null }] }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function isRegExp(value: unknown): value is { readonly pattern: string; readonly flags: string } {
  return typeof value === 'object' && value !== null && 'pattern' in value && 'flags' in value
}
