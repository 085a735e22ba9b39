import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tools/tests/longest-first.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const notTests = ['**/node_modules/**', '**/dist/**', '**/.docs-run/**']
/** Files that replace modules of Node, or the process's own, for themselves. */
const alone = [
  'packages/core/src/adapters/node-files.test.ts',
  'packages/gateway/src/front/accept-errors.test.ts',
  'packages/gateway/src/front/access/keys.test.ts',
]
/** Files of e2e that need no process of their own. */
const together = [
  'e2e/clients/*.test.ts',
  'e2e/relay/*.test.ts',
  'e2e/faults/{budget-calls,budgets,front-*,hostile-*,integrity*,lost-retry,secrets-guessing,upstream-*}.test.ts',
]

export default defineConfig({
  resolve: {
    // Tests run on the sources; the few that need a build say so when it is missing or old.
    alias: [
      { find: /^@stickler\/core$/, replacement: at('packages/core/src/index.ts') },
      { find: /^@stickler\/core\/citations$/, replacement: at('packages/core/src/citations.ts') },
      { find: /^@stickler\/core\/runners$/, replacement: at('packages/core/src/runners.ts') },
      { find: /^@stickler\/core\/relevance$/, replacement: at('packages/core/src/relevance.ts') },
      { find: /^@stickler\/core\/remote$/, replacement: at('packages/core/src/remote.ts') },
      { find: /^@stickler\/core\/node$/, replacement: at('packages/core/src/node.ts') },
      { find: /^@stickler\/core\/services$/, replacement: at('packages/core/src/services.ts') },
      { find: /^@stickler\/core\/syntax$/, replacement: at('packages/core/src/syntax.ts') },
      { find: /^@stickler\/core\/types$/, replacement: at('packages/core/src/types.ts') },
      { find: /^@stickler\/core\/wire$/, replacement: at('packages/core/src/wire.ts') },
      { find: /^@stickler\/core\/testing$/, replacement: at('packages/core/src/testing/index.ts') },
      { find: /^@stickler\/ask\/config$/, replacement: at('packages/ask/src/config.ts') },
      { find: /^@stickler\/ask\/types$/, replacement: at('packages/ask/src/types.ts') },
      { find: /^@stickler\/ask$/, replacement: at('packages/ask/src/index.ts') },
      { find: /^@stickler\/ask\/pipeline$/, replacement: at('packages/ask/src/pipeline.ts') },
      { find: /^@stickler\/ask\/retrieval$/, replacement: at('packages/ask/src/retrieval.ts') },
      { find: /^@stickler\/claude$/, replacement: at('packages/claude/src/index.ts') },
      { find: /^@stickler\/parser\/client$/, replacement: at('packages/parser/src/client.ts') },
      { find: /^@stickler\/parser\/grpc$/, replacement: at('packages/parser/src/grpc.ts') },
      { find: /^@stickler\/parser\/service$/, replacement: at('packages/parser/src/service.ts') },
      { find: /^@stickler\/parser\/config$/, replacement: at('packages/parser/src/config.ts') },
      { find: /^@stickler\/parser$/, replacement: at('packages/parser/src/index.ts') },
      { find: /^@stickler\/gateway\/config$/, replacement: at('packages/gateway/src/config.ts') },
      { find: /^@stickler\/gateway\/types$/, replacement: at('packages/gateway/src/types.ts') },
      { find: /^@stickler\/gateway$/, replacement: at('packages/gateway/src/index.ts') },
    ],
  },
  server: { watch: { ignored: ['**/.docs-run/**', '**/dist/**'] } },
  test: {
    testTimeout: 60_000,
    // Hooks bundle the command and start PostgreSQL, which takes more than the usual 10 seconds on a busy machine.
    hookTimeout: 120_000,
    // One less than the cores would leave half of a small machine idle.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'packages',
          include: ['packages/*/src/**/*.test.ts', ...together],
          exclude: [...notTests, ...alone],
          // Loading the sources anew for each file takes longer than the tests of most files.
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: 'e2e', include: ['e2e/**/*.test.ts', ...alone], exclude: [...notTests, ...together], sequence: { groupOrder: 0 } },
      },
    ],
  },
})
