import type { Language } from '../language.ts'
import { treeSitterLanguage } from './index.ts'

/** The languages that are parsed by tree-sitter grammars. */
export const treeSitterLanguages: readonly Language[] = [
  treeSitterLanguage({ name: 'csharp', title: 'C#', grammar: 'tree-sitter-c-sharp' }),
  treeSitterLanguage({ name: 'cpp', title: 'C++', grammar: 'tree-sitter-cpp' }),
  treeSitterLanguage({ name: 'css', title: 'CSS', grammar: 'tree-sitter-css' }),
  treeSitterLanguage({ name: 'ini', title: 'INI', grammar: 'tree-sitter-ini' }),
  treeSitterLanguage({ name: 'java', title: 'Java', grammar: 'tree-sitter-java' }),
  treeSitterLanguage({
    name: 'php',
    title: 'PHP',
    grammar: 'tree-sitter-php',
    opening: (source) => (source.includes('<?') ? '' : '<?php '),
  }),
  treeSitterLanguage({ name: 'powershell', title: 'PowerShell', grammar: 'tree-sitter-powershell' }),
  treeSitterLanguage({ name: 'ruby', title: 'Ruby', grammar: 'tree-sitter-ruby' }),
  treeSitterLanguage({ name: 'rust', title: 'Rust', grammar: 'tree-sitter-rust' }),
]
