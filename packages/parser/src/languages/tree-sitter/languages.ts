import type { Language } from '../language.ts'
import { treeSitterLanguage } from './index.ts'

const members = { before: 'class C { ', after: '\n}' }

/** The languages that are parsed by tree-sitter grammars: those whose grammars accept what is right. */
export const treeSitterLanguages: readonly Language[] = [
  treeSitterLanguage({ name: 'csharp', title: 'C#', grammar: 'tree-sitter-c-sharp', frames: [members] }),
  treeSitterLanguage({ name: 'java', title: 'Java', grammar: 'tree-sitter-java', frames: [members] }),
  treeSitterLanguage({
    name: 'php',
    title: 'PHP',
    grammar: 'tree-sitter-php',
    opening: (source) => (source.includes('<?') ? '' : '<?php '),
    frames: [{ before: '<?php class C { ', after: '\n}' }],
  }),
  treeSitterLanguage({ name: 'ruby', title: 'Ruby', grammar: 'tree-sitter-ruby' }),
  treeSitterLanguage({ name: 'rust', title: 'Rust', grammar: 'tree-sitter-rust' }),
]
