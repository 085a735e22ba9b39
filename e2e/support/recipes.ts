/** How something is added to the repository; its new files are in `fixtures/recipes/<name>`, below the paths where they go. */
export interface Recipe {
  /** The one line, with its import: text that is there once, and what it becomes. */
  readonly edits: readonly (readonly [path: string, from: string, to: string])[]
  /** Files that `npm run lists` writes. */
  readonly written: readonly string[]
  /** The tests that know of all things of its kind. */
  readonly guards: readonly string[]
  /** Commands that use it, after files that they need are written; each prints something. */
  readonly uses?: readonly (readonly [args: readonly string[], prints: RegExp, files?: Readonly<Record<string, string>>])[]
}

const e2e = (...names: readonly string[]) => names.map((name) => `e2e/${name}.test.ts`)
const validators = 'packages/core/src/validators'
const languages = 'packages/parser/src/languages/index.ts'
const engines = 'packages/ask/src/retrieval/engines/index.ts'
const kinds = 'packages/gateway/src/upstreams/kinds/index.ts'
const apis = 'packages/core/src/apis/index.ts'
const program = 'packages/cli/src/program.ts'

/** The record of an engine, which is in the table itself. */
const keptKind = `const kept: EngineKind = {
  name: 'kept',
  shown: 'kept://…',
  address: /^kept:\\/\\//,
  guide: { address: '\`kept://name\`', needs: 'nothing', text: 'BM25', vectors: 'exact' },
  open: async (url, collection) => (await import('./kept/kept-engine.ts')).keptEngine(url, collection),
}
`

/** Everything that can be added with a promised number of edits, as CONTRIBUTING.md describes it. */
export const recipes: Readonly<Record<string, Recipe>> = {
  validator: {
    edits: [
      [`${validators}/index.ts`, 'import { oneOf }', "import { noShouting } from './no-shouting.ts'\nimport { oneOf }"],
      [`${validators}/index.ts`, '\n  oneOf,', '\n  noShouting,\n  oneOf,'],
    ],
    written: ['docs/README.md', 'docs/reference/api.md', 'docs/reference/codes.md', 'packages/core/src/validators.ts'],
    guards: [
      ...e2e('codes-parity', 'english', 'layers', 'names', 'regexes', 'tree'),
      ...['no-shouting', 'hostile-text', 'lazy-options'].map((name) => `${validators}/${name}.test.ts`),
      'packages/core/src/contract/configuration/describe-options.test.ts',
      'packages/core/src/contract/machine/chunks.test.ts',
      'packages/core/src/engine/feedback/quoted-text.test.ts',
      'packages/cli/src/catalogue/list.test.ts',
    ],
    uses: [[['check', 'shouting.md', '--check', 'no_shouting'], /SHOUTING/, { 'shouting.md': 'This is VERY important.\n' }]],
  },
  key: {
    edits: [
      [
        'packages/gateway/src/config/schema/server-schema.ts',
        '\n  heartbeat: ',
        "\n  quietHours: z.int().min(0).max(24).default(6).describe('Hours after midnight in which nothing is announced.'),\n  heartbeat: ",
      ],
    ],
    written: ['docs/reference/configuration.md', 'docs/reference/configuration-keys.md'],
    guards: ['e2e/reload-keys.test.ts', 'packages/gateway/src/config/schema/config-json-schema.test.ts'],
    uses: [
      [['schema'], /"quietHours": \{[^}]*"description": "Hours after midnight/],
      [
        ['check', '--config', 'quiet.yaml', '--contract', 'brief', 'notes.md'],
        /quiet\.yaml:1:11: server\.quietHours: /,
        { 'quiet.yaml': 'server: { quietHours: 25 }\n' },
      ],
      [
        ['check', '--config', 'quiet.yaml', '--contract', 'brief', 'notes.md'],
        /did you mean "quietHours"/,
        { 'quiet.yaml': 'server: { quitHours: 2 }\n' },
      ],
    ],
  },
  engine: {
    edits: [
      [engines, '\n/** Every engine that', `\n${keptKind}\n/** Every engine that`],
      [engines, '\n  postgres,', '\n  kept,\n  postgres,'],
    ],
    written: ['docs/guide/retrieval.md', 'docs/reference/configuration-keys.md'],
    guards: ['packages/ask/src/retrieval/engines/kept/kept.test.ts', 'packages/ask/src/retrieval/engines/open-engine.test.ts'],
    uses: [
      [
        ['index', 'notes', '--config', 'kept.yaml'],
        /1 (?:document|file)/,
        { 'kept.yaml': 'retrieval: { index: "kept://notes" }\n', 'notes/a.md': '# Spaces\n\nUse spaces, not tabs.\n' },
      ],
    ],
  },
  kind: {
    edits: [
      [kinds, 'import { extractiveKind }', "import { echoKind } from './echo.ts'\nimport { extractiveKind }"],
      [kinds, 'extractiveKind]', 'extractiveKind, echoKind]'],
    ],
    written: ['docs/reference/configuration.md', 'docs/reference/configuration-keys.md'],
    guards: ['packages/gateway/src/config/schema/config-json-schema.test.ts'],
    uses: [
      [
        ['run', '--config', 'echo.yaml', 'Tabs or spaces?'],
        /Tabs or spaces\?!!/,
        {
          'echo.yaml':
            'upstreams: [{ name: hill, kind: echo, loudness: 2 }]\ncontracts: { brief: { checks: [{ max_words: { limit: 5 } }] } }\n',
        },
      ],
    ],
  },
  language: {
    edits: [
      [languages, 'import { json,', "import { ini } from './ini/index.ts'\nimport { json,"],
      [languages, '\n  javascript,', '\n  ini,\n  javascript,'],
    ],
    written: ['docs/guide/code.md'],
    guards: [...e2e('languages-parity'), 'packages/parser/src/languages/ini/ini.test.ts', 'packages/parser/src/local/hostile.test.ts'],
    uses: [[['check', 'settings.md', '--check', 'code_syntax'], /SYNTAX_ERROR .*\(ini\)/, { 'settings.md': '```ini\n[a]\nb\n```\n' }]],
  },
  command: {
    edits: [
      [program, 'import { hook }', "import { hello } from './commands/hello.ts'\nimport { hook }"],
      [program, '\n  init,', '\n  hello,\n  init,'],
    ],
    written: ['docs/reference/cli.md'],
    guards: ['packages/cli/src/main.test.ts'],
    uses: [
      [['hello', 'world'], /^Hello, world\.$/m],
      [['--help'], /^ {2}hello \[options\] <name> +greet somebody$/m],
      [['hello'], /missing required argument 'name'/],
    ],
  },
  api: {
    edits: [
      [apis, 'import { messages }', "import { lines } from './lines/lines.ts'\nimport { messages }"],
      [apis, 'messages]', 'messages, lines]'],
    ],
    written: [],
    guards: e2e('lines-api', 'error-codes'),
  },
  adapter: {
    edits: [],
    written: ['README.md', 'docs/README.md', 'docs/reference/api.md', 'tsconfig.json', 'tsconfig.tests.json'],
    guards: [...e2e('layers', 'lists', 'names', 'test-sets', 'tree'), 'packages/functions/src/enforced-function.test.ts'],
  },
}
