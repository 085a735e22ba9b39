import { ts } from '../types/typescript.mjs'

/** The titles of the tests of a file and of their groups, as they are written, each with its groups around it, in order. */
export function titlesOf(text) {
  const titles = []
  const visit = (node, groups) => {
    const title = ts.isCallExpression(node) ? titleIn(node) : undefined
    const inside = title === undefined ? groups : [...groups, title]
    if (title !== undefined) titles.push(inside)
    ts.forEachChild(node, (child) => visit(child, inside))
  }
  visit(ts.createSourceFile('a.test.ts', text, ts.ScriptTarget.Latest), [])
  return titles
}

/** The first argument of `test`, `it` or `describe`, also behind `.each(…)` and the like. */
function titleIn({ expression, arguments: [first] }) {
  let callee = expression
  while (!ts.isIdentifier(callee) && callee.expression !== undefined) callee = callee.expression
  if (!['describe', 'it', 'test'].includes(callee.text) || first === undefined) return undefined
  if (ts.isStringLiteralLike(first)) return first.text
  if (!ts.isTemplateExpression(first)) return undefined
  return first.head.text + first.templateSpans.map(({ literal }) => `…${literal.text}`).join('')
}
