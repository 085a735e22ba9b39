/** What `npm test` leaves to `npm run test:rest`, and depends on the version of Node: what is tested, and in which files. */
const onEachNode: Readonly<Record<string, readonly string[]>> = {
  'faults of upstreams, disks, clients and processes': [
    'e2e/faults/**/*.test.ts',
    'e2e/*-faults.test.ts',
    'packages/{ask,gateway}/src/**/*-faults.test.ts',
    'packages/core/src/runners/**/*-faults.test.ts',
    'packages/parser/src/faults/*.test.ts',
    'packages/node/src/claude/{claude-cli,floods}.test.ts',
    'packages/cli/src/{stop-through-npm,evaluation/kill-faults,evaluation/queue/queue-faults}.test.ts',
    'packages/gateway/src/requests/pipeline/cut-off.test.ts',
    'packages/gateway/src/front/smuggling.test.ts',
    'packages/parser/src/service/reception.test.ts',
  ],
  'worker processes and threads': [
    'packages/ask/src/retrieval/engines/sqlite/processes.test.ts',
    'packages/cli/src/check/check-code.test.ts',
    'packages/node/src/rules/command-rules.test.ts',
    'packages/gateway/src/services/judging/{judging,judging-pool,plugin-breakage,plugins,trials,turn-queue}.test.ts',
    'packages/gateway/src/routes/models/everyday-checks.test.ts',
    'packages/parser/src/local/local-parser.test.ts',
  ],
  'recorded traffic of providers': ['e2e/relay/*.test.ts'],
  'adapters with the clients and frameworks that they are for': ['e2e/adapters/*.test.ts'],
  'packed packages': ['e2e/packages.test.ts'],
}

/** What is the same on all: pure functions of text, comparisons, pages, and files that are built. */
const onOneNode: Readonly<Record<string, readonly string[]>> = {
  'hostile input, and its cost': [
    'e2e/complexity.test.ts',
    'packages/*/src/**/{complexity,hostile,hostile-*}.test.ts',
    'packages/core/src/json/duplicate-keys.test.ts',
  ],
  'long properties, and comparisons with other programs': [
    'e2e/{attack,finish-reasons,real-text-calls}.test.ts',
    'packages/cli/src/suggest/suggest-contract.test.ts',
    'packages/core/src/validators/{citations/machine,code-syntax/stream,links/browsers,recorded-answers}.test.ts',
    'packages/core/src/validators/tool-calls/dialects/dialects.test.ts',
    'packages/gateway/src/delivery/relay/{client-calls,relay-property}.test.ts',
  ],
  'records in SQLite and PostgreSQL': [
    'packages/gateway/src/records/store/{earlier-runs,recovery,sessions,store,store-queries}.test.ts',
    'packages/gateway/src/records/store/budgets/budget-ledger.test.ts',
    'packages/gateway/src/records/store/schema/documented-schema.test.ts',
    'packages/gateway/src/records/store/queries/{list-runs,search-runs}.test.ts',
    'packages/gateway/src/records/store/rollups/rollups.test.ts',
  ],
  'search engines for retrieval, and what is found in the documentation': [
    'e2e/retrieval.test.ts',
    'packages/ask/src/retrieval/documentation.test.ts',
    'packages/ask/src/retrieval/engines/elastic/elastic-engine.test.ts',
    'packages/ask/src/retrieval/engines/postgres/pgvector.test.ts',
    'packages/gateway/src/routes/ask/ask-pipeline.test.ts',
  ],
  'bundled packages, the image, generated code, and recipes for additions': ['e2e/{bundles,code-generation,image,recipes}.test.ts'],
  'shadow contracts through every way in': ['packages/gateway/src/requests/shadow/shadow.test.ts'],
  'every key of the configuration, pages in a browser, and the traffic of the demo': [
    'e2e/reload-keys.test.ts',
    'packages/dashboard/src/**/*.browser.test.ts',
    'packages/gateway/src/demo/play-demo.test.ts',
    'packages/cli/src/evaluation/reports/html.browser.test.ts',
  ],
  'pages of the documentation that are not read first': ['e2e/docs.test.ts'],
}

/** What `npm test` leaves out. */
export const rest: Readonly<Record<string, readonly string[]>> = { ...onEachNode, ...onOneNode }

const notTests = ['**/node_modules/**', '**/dist/**', '**/.docs-run/**']
const inRest = Object.values(rest).flat()
const each = Object.values(onEachNode).flat()
const once = Object.values(onOneNode).flat()

/** Files that replace modules of Node, or the process's own, for themselves: each gets a process. */
const alone = [
  'packages/node/src/files/node-files.test.ts',
  'packages/gateway/src/front/accept-errors.test.ts',
  'packages/gateway/src/front/access/keys.test.ts',
]
/** Files of the rest in e2e that need no process of their own, and those that do. */
const together = [
  'e2e/{clients,relay}/*.test.ts',
  'e2e/adapters/!(one-liners).test.ts',
  'e2e/faults/{budget-calls,budgets,front-*,hostile-*,integrity*,lost-retry,secrets-guessing,upstream-*}.test.ts',
]
const apart = [
  'e2e/*.test.ts',
  // It sets the variables that clients read when they are loaded.
  'e2e/adapters/one-liners.test.ts',
  'e2e/faults/{ask-store,auth-*,budgets-processes,child-processes,claude-*,durability-*,fairness,judging,otlp,shutdown*,stall,text-canaries,workers-metrics}.test.ts',
  'e2e/faults/*/**/*.test.ts',
]

/** The files of one project of Vitest. */
export interface TestSet {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

/** Every test file is in one of these sets; the first three are run by `npm test`, those that end in `once` on one version of Node. */
export const sets = {
  packages: { include: ['packages/*/src/**/*.test.ts', ...together], exclude: [...notTests, ...alone, ...inRest] },
  e2e: { include: apart, exclude: [...notTests, ...inRest] },
  alone: { include: alone, exclude: [...notTests] },
  'rest-packages': { include: each, exclude: [...notTests, ...alone, ...apart] },
  'rest-e2e': { include: each, exclude: [...notTests, 'packages/**', ...together] },
  'rest-packages-once': { include: once, exclude: [...notTests, ...alone, ...apart] },
  'rest-e2e-once': { include: once, exclude: [...notTests, 'packages/**', ...together] },
} satisfies Readonly<Record<string, TestSet>>
