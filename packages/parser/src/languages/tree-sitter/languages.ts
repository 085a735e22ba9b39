import type { Language } from '@stickler/core/validators'
import type { Node } from 'web-tree-sitter'
import { treeSitterLanguage } from './index.ts'
import { effectiveStatements, namedConstructors, reservedWords, singleCharacters, typedParameters } from './rules.ts'

const members = { before: 'class C { ', after: '\n}' }

/** Names of methods, parameters and members may be reserved words in Ruby. */
const rubyWords = reservedWords(
  ['identifier'],
  'alias and begin break case class def do else elsif end ensure for if in module next or rescue return then undef unless until when while',
  {
    within: ['method', 'singleton_method', 'alias', 'undef', 'keyword_parameter'],
    allows: (name, parent) => parent.type === 'call' && parent.childForFieldName('receiver') !== null && isField(parent, 'method', name),
  },
)

const rustWords = reservedWords(
  ['identifier', 'type_identifier', 'field_identifier'],
  'as break const continue else enum extern fn for if impl in let loop match mod move mut pub ref return static struct trait type unsafe where while',
  { within: ['lifetime', 'label', 'attribute'], below: ['token_tree', 'token_tree_pattern', 'macro_definition'] },
)

const javaWords = reservedWords(
  ['identifier', 'type_identifier'],
  'abstract assert break case catch class const continue do else enum extends final finally for goto if implements import instanceof interface native new package private protected public return static switch synchronized throw throws transient try volatile while',
)

const csharpWords = reservedWords(
  ['identifier'],
  'break case catch class continue do else enum finally for foreach if interface namespace private protected public return static struct switch try while',
  { below: ['preproc_pragma', 'preproc_if', 'preproc_elif', 'preproc_region', 'preproc_endregion', 'preproc_error', 'preproc_warning'] },
)

/** What a statement of Java may be, beside those that have a keyword. */
const javaEffects = ['assignment_expression', 'update_expression', 'method_invocation', 'object_creation_expression', 'switch_expression']

function isField(parent: Node, field: string, child: Node): boolean {
  return parent.childForFieldName(field)?.id === child.id
}

/** The languages parsed by tree-sitter grammars: those whose grammars accept all valid code. */
export const treeSitterLanguages: readonly Language[] = [
  treeSitterLanguage({
    name: 'csharp',
    title: 'C#',
    grammar: 'tree-sitter-c-sharp',
    frames: [members],
    rules: [csharpWords, namedConstructors],
  }),
  treeSitterLanguage({
    name: 'java',
    title: 'Java',
    grammar: 'tree-sitter-java',
    frames: [members],
    rules: [javaWords, effectiveStatements(javaEffects), namedConstructors, singleCharacters],
  }),
  treeSitterLanguage({
    name: 'php',
    title: 'PHP',
    parsedBy: 'tree-sitter, with or without `<?php`',
    grammar: 'tree-sitter-php',
    // A template that begins with a tag may be HTML alone.
    opening: (source) => (source.includes('<?') || /^\s*<[!a-z/]/i.test(source) ? '' : '<?php '),
    frames: [{ before: '<?php class C { ', after: '\n}' }],
  }),
  treeSitterLanguage({ name: 'ruby', title: 'Ruby', grammar: 'tree-sitter-ruby', rules: [rubyWords] }),
  treeSitterLanguage({ name: 'rust', title: 'Rust', grammar: 'tree-sitter-rust', rules: [rustWords, typedParameters] }),
]
