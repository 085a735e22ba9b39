import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { adapters } from './tools/build/adapters.mjs'
import { LongestFirst } from './tools/tests/longest-first.ts'
import { times } from './tools/tests/random.ts'
import { sets } from './tools/tests/sets.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** One project of tests; the files of most share two processes. */
function project(name: keyof typeof sets, groupOrder: number): TestProjectConfiguration {
  const { include, exclude } = sets[name]
  // Loading the sources anew for each file takes longer than the tests of most files.
  const isolate = name === 'alone' || name.startsWith('rest-e2e')
  return { extends: true, test: { name, include: [...include], exclude: [...exclude], isolate, sequence: { groupOrder } } }
}

export default defineConfig({
  resolve: {
    // Tests run on the sources; the few that need a build say so when it is missing or old.
    alias: [
      // Random tests take their seed and the number of their cases from one place.
      { find: /^fast-check$/, replacement: at('tools/tests/fast-check.ts') },
      { find: /^@stickler\/core$/, replacement: at('packages/core/src/index.ts') },
      { find: /^@stickler\/core\/runners$/, replacement: at('packages/core/src/runners.ts') },
      { find: /^@stickler\/core\/validators$/, replacement: at('packages/core/src/validators.ts') },
      { find: /^@stickler\/core\/internal\/services$/, replacement: at('packages/core/src/internal/services.ts') },
      { find: /^@stickler\/core\/mcp$/, replacement: at('packages/core/src/mcp/index.ts') },
      { find: /^@stickler\/core\/agents$/, replacement: at('packages/core/src/agents/index.ts') },
      { find: /^@stickler\/core\/fetch$/, replacement: at('packages/core/src/fetch/index.ts') },
      { find: /^@stickler\/core\/internal$/, replacement: at('packages/core/src/internal.ts') },
      { find: /^@stickler\/core\/internal\/apis$/, replacement: at('packages/core/src/internal/apis.ts') },
      { find: /^@stickler\/core\/internal\/relay$/, replacement: at('packages/core/src/internal/relay.ts') },
      { find: /^@stickler\/core\/internal\/remote$/, replacement: at('packages/core/src/internal/remote.ts') },
      { find: /^@stickler\/core\/internal\/relevance$/, replacement: at('packages/core/src/internal/relevance.ts') },
      { find: /^@stickler\/core\/internal\/validators$/, replacement: at('packages/core/src/internal/validators.ts') },
      { find: /^@stickler\/core\/internal\/yaml$/, replacement: at('packages/core/src/internal/yaml.ts') },
      { find: /^@stickler\/core\/testing$/, replacement: at('packages/core/src/testing/index.ts') },
      ...adapters.map((name) => ({ find: new RegExp(`^@stickler/${name}$`), replacement: at(`packages/${name}/src/index.ts`) })),
      { find: /^@stickler\/presets$/, replacement: at('packages/presets/src/index.ts') },
      { find: /^@stickler\/presets\/internal$/, replacement: at('packages/presets/src/internal.ts') },
      { find: /^@stickler\/presets\/(\w+)$/, replacement: at('packages/presets/src/$1/index.ts') },
      { find: /^@stickler\/ask\/internal\/config$/, replacement: at('packages/ask/src/config.ts') },
      { find: /^@stickler\/ask$/, replacement: at('packages/ask/src/index.ts') },
      { find: /^@stickler\/ask\/internal$/, replacement: at('packages/ask/src/internal.ts') },
      { find: /^@stickler\/ask\/pipeline$/, replacement: at('packages/ask/src/pipeline.ts') },
      { find: /^@stickler\/ask\/retrieval$/, replacement: at('packages/ask/src/retrieval.ts') },
      { find: /^@stickler\/node$/, replacement: at('packages/node/src/index.ts') },
      { find: /^@stickler\/node\/internal\/files$/, replacement: at('packages/node/src/files.ts') },
      { find: /^@stickler\/node\/claude$/, replacement: at('packages/node/src/claude.ts') },
      { find: /^@stickler\/node\/internal\/config$/, replacement: at('packages/node/src/config.ts') },
      { find: /^@stickler\/node\/internal\/contracts$/, replacement: at('packages/node/src/contracts.ts') },
      { find: /^@stickler\/node\/internal\/grpc$/, replacement: at('packages/node/src/grpc.ts') },
      { find: /^@stickler\/node\/internal$/, replacement: at('packages/node/src/internal.ts') },
      { find: /^@stickler\/node\/internal\/hook-events$/, replacement: at('packages/node/src/hook-events.ts') },
      { find: /^@stickler\/node\/internal\/hooks$/, replacement: at('packages/node/src/hooks.ts') },
      { find: /^@stickler\/node\/internal\/replies$/, replacement: at('packages/node/src/replies.ts') },
      { find: /^@stickler\/node\/internal\/services$/, replacement: at('packages/node/src/services.ts') },
      { find: /^@stickler\/parser\/client$/, replacement: at('packages/parser/src/client.ts') },
      { find: /^@stickler\/parser\/service$/, replacement: at('packages/parser/src/service.ts') },
      { find: /^@stickler\/parser\/internal\/config$/, replacement: at('packages/parser/src/config.ts') },
      { find: /^@stickler\/parser$/, replacement: at('packages/parser/src/index.ts') },
      { find: /^@stickler\/parser\/internal$/, replacement: at('packages/parser/src/internal.ts') },
      { find: /^@stickler\/gateway\/internal\/config$/, replacement: at('packages/gateway/src/config.ts') },
      { find: /^@stickler\/gateway$/, replacement: at('packages/gateway/src/index.ts') },
      { find: /^@stickler\/gateway\/internal$/, replacement: at('packages/gateway/src/internal.ts') },
    ],
  },
  server: { watch: { ignored: ['**/.docs-run/**', '**/dist/**'] } },
  test: {
    testTimeout: times > 1 ? 600_000 : 60_000,
    // Hooks bundle the command and start PostgreSQL, which takes more than the usual 10 seconds on a busy machine.
    hookTimeout: 120_000,
    // A second is little on a busy machine, and a poll that succeeds ends at once.
    expect: { poll: { timeout: 15_000 } },
    // One less than the cores would leave half of a small machine idle.
    maxWorkers: 2,
    // Reading the sources takes longer than most tests; each project, and each run, would read them anew.
    experimental: { fsModuleCache: true },
    sequence: { sequencer: LongestFirst },
    projects: [
      project('e2e', 0),
      project('packages', 1),
      project('alone', 2),
      project('rest-e2e', 3),
      project('rest-packages', 4),
      project('rest-e2e-once', 3),
      project('rest-packages-once', 4),
    ],
  },
})
