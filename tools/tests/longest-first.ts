import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take long: begun last, one of them would keep a single core busy while the others are idle. */
const long = [
  'e2e/docs-first.test.ts',
  'e2e/cli.test.ts',
  'e2e/types.test.ts',
  'packages/gateway/src/routes/ask/ask-pipeline.test.ts',
  'packages/gateway/src/front/limits.test.ts',
  // What `npm test` leaves out:
  'e2e/recipes.test.ts',
  'e2e/image.test.ts',
  'e2e/docs.test.ts',
  'e2e/complexity.test.ts',
  'e2e/attack.test.ts',
  'e2e/faults/judging.test.ts',
  'e2e/packages.test.ts',
  'e2e/retrieval.test.ts',
  'e2e/faults/budgets-processes.test.ts',
  'e2e/faults/workers-metrics.test.ts',
  'e2e/faults/child-processes.test.ts',
  'packages/gateway/src/records/store/store.test.ts',
  'packages/core/src/answer/hostile.test.ts',
  'packages/parser/src/local/hostile.test.ts',
  'packages/parser/src/local/local-parser.test.ts',
  'packages/gateway/src/records/store/recovery.test.ts',
  'packages/gateway/src/services/judging/judging-pool.test.ts',
]

/** Runs the long files first, the others as Vitest would. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => long.some((path) => moduleId.endsWith(`/${path}`))
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
