import type { Node } from 'web-tree-sitter'
import { quoted } from '../quoted.ts'

/** What a grammar lets pass though the language does not. */
export interface TreeRule {
  /** The types of the nodes that it looks at. */
  readonly types: readonly string[]
  /** What to do about a node; undefined when it is right. The source starts at an offset of the tree. */
  fault(node: Node, shift: number): string | undefined
}

/** Where a reserved word may be a name nevertheless. */
interface Exceptions {
  /** The types of the nodes right around the name. */
  readonly within?: readonly string[]
  /** Somewhere around it, such as in the tokens of a macro. */
  readonly below?: readonly string[]
  readonly allows?: (name: Node, parent: Node) => boolean
}

/** Grammars take a reserved word for a name where nothing else fits, such as an `end` too many. */
export function reservedWords(types: readonly string[], words: string, { within = [], below = [], allows }: Exceptions = {}): TreeRule {
  const reserved: ReadonlySet<string> = new Set(words.split(' '))
  const [direct, around] = [new Set(within), new Set(below)]
  return {
    types,
    fault(node) {
      const { parent, text } = node
      if (!reserved.has(text) || parent === null || direct.has(parent.type) || allows?.(node, parent)) return undefined
      for (let up: Node | null = parent; up !== null; up = up.parent) if (around.has(up.type)) return undefined
      return `Correct or remove ${quoted(text)}: it is a reserved word, and not expected here.`
    },
  }
}

/** Statements of a block that are an expression must do something. */
export function effectiveStatements(effects: readonly string[]): TreeRule {
  const useful: ReadonlySet<string> = new Set(effects)
  return {
    types: ['expression_statement'],
    fault(node) {
      const expression = node.firstNamedChild
      if (node.parent?.type !== 'block' || expression === null || useful.has(expression.type)) return undefined
      return expression.isError || expression.type.endsWith('comment')
        ? undefined
        : 'Use the value of this expression: it is not a statement.'
    },
  }
}

/** A constructor has the name of its class; with another one, the type of a method's result is missing. */
export const namedConstructors: TreeRule = {
  types: ['constructor_declaration'],
  fault(node, shift) {
    const name = node.childForFieldName('name')
    const owner = node.parent?.parent?.childForFieldName('name')
    // The class may be the one that was put around the snippet.
    if (!name || !owner || owner.startIndex < shift || name.text === owner.text) return undefined
    return `Write the type of the result before ${quoted(name.text)}, or name the constructor ${quoted(owner.text)}.`
  },
}

/** Longer ones are strings, which have other quotes. */
export const singleCharacters: TreeRule = {
  types: ['character_literal'],
  fault: ({ text }) => (text.length > 3 && !text.includes('\\') ? 'Put text of several characters in double quotes.' : undefined),
}

/** Functions with a body name each parameter and its type. */
export const typedParameters: TreeRule = {
  types: ['type_identifier'],
  fault({ text, parent }) {
    const isAlone = parent?.type === 'parameters' && parent.parent?.type === 'function_item'
    return isAlone ? `Write the type of the parameter ${quoted(text)} after a colon.` : undefined
  },
}
