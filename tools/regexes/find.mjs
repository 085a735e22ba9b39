import { parseAst } from 'vite'

/** What a comment beside a regular expression starts with that may stay although it backtracks; the rest is the reason. */
const excuse = /\/\/ backtracks: \S/
/** Above, only a line of its own: the comment behind other code is about that code. */
const excuseAbove = /^\s*\/\/ backtracks: \S/

/**
 * The regular expressions of a source file: literals, and `RegExp` with a text that does not change.
 * `source` is undefined where the text is only known when the program runs; `excused` when a comment on its line or right above gives a reason.
 */
export function findRegexes(text, file) {
  const ast = parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
  const constants = constantsOf(ast)
  const lines = text.split('\n')
  const found = []
  visit(ast, (node) => {
    const regex = regexOf(node, constants)
    if (!regex) return
    const line = text.slice(0, node.start).split('\n').length
    found.push({ ...regex, file, line, excused: excuse.test(lines[line - 1] ?? '') || excuseAbove.test(lines[line - 2] ?? '') })
  })
  return found
}

function regexOf(node, constants) {
  if (node.type === 'Literal' && node.regex) return { source: node.regex.pattern, flags: node.regex.flags }
  if ((node.type !== 'NewExpression' && node.type !== 'CallExpression') || node.callee.name !== 'RegExp') return undefined
  const [pattern, flags] = node.arguments
  // Another object of the same expression is no other expression.
  if (pattern?.type === 'Identifier' && constants.get(pattern.name)?.regex) return undefined
  return { source: textOf(pattern, constants), flags: flags ? (textOf(flags, constants) ?? '') : '' }
}

/** The constants of a module by name, as the nodes that they are set to. */
function constantsOf(ast) {
  const constants = new Map()
  visit(ast, (node) => {
    if (node.type !== 'VariableDeclaration' || node.kind !== 'const') return
    for (const { id, init } of node.declarations) if (id.type === 'Identifier' && init) constants.set(id.name, init)
  })
  // A name that is a parameter somewhere need not mean the constant.
  visit(ast, ({ params }) => {
    visit(params, ({ type, name }) => type === 'Identifier' && constants.delete(name))
  })
  return constants
}

/** The text of an expression; undefined when it is not constant. */
function textOf(node, constants) {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : undefined
    case 'Identifier':
      return constants.has(node.name) ? textOf(constants.get(node.name), constants) : undefined
    case 'MemberExpression':
      return node.property.name === 'source' ? patternOf(node.object, constants) : undefined
    case 'BinaryExpression':
      return node.operator === '+' ? join([textOf(node.left, constants), textOf(node.right, constants)]) : undefined
    case 'TemplateLiteral':
      return join(
        node.quasis.flatMap(({ value }, index) => [
          value.cooked,
          ...node.expressions.slice(index, index + 1).map((one) => textOf(one, constants)),
        ]),
      )
    case 'TaggedTemplateExpression': {
      const isRaw = node.tag.type === 'MemberExpression' && node.tag.property.name === 'raw'
      return isRaw && node.quasi.expressions.length === 0 ? node.quasi.quasis[0].value.raw : undefined
    }
    default:
      return undefined
  }
}

function patternOf(node, constants) {
  const literal = node.type === 'Identifier' ? constants.get(node.name) : node
  return literal?.regex?.pattern
}

function join(parts) {
  return parts.includes(undefined) ? undefined : parts.join('')
}

function visit(node, seen) {
  if (Array.isArray(node)) for (const one of node) visit(one, seen)
  else if (node && typeof node === 'object') {
    if (node.type) seen(node)
    for (const value of Object.values(node)) visit(value, seen)
  }
}
