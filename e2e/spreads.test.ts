import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './support/places.ts'
import { walk } from './support/walk.ts'

/** Functions that take any number of arguments; above some 120 000 a call throws a RangeError. */
const called =
  /(?:\.(?:push|unshift|concat|splice|apply)|\bMath\.(?:min|max|hypot)|\bString\.from(?:CharCode|CodePoint)|\bObject\.assign|\bReflect\.apply)$/

/** Where a list is spread into such a call, by line; a spread inside of a list or an object that is passed is none. */
function spreadCalls(source: string): number[] {
  const found: number[] = []
  for (let at = source.indexOf('...'); at >= 0; at = source.indexOf('...', at + 3)) {
    let depth = 0
    let open = at - 1
    for (; open >= 0; open--) {
      const character = source[open] ?? ''
      if (')]}'.includes(character)) depth++
      else if ('([{'.includes(character) && depth-- === 0) break
    }
    if (source[open] === '(' && called.test(source.slice(Math.max(0, open - 40), open))) found.push(source.slice(0, at).split('\n').length)
  }
  return found
}

/** How many there may be in a file, because the length of what is spread depends on neither a model nor a client nor a file. */
const few: Readonly<Record<string, readonly [count: number, spread: string]>> = {
  'packages/ask/src/pipeline/nodes/reformulate.ts': [1, 'words of a query, whose length is limited'],
  'packages/ask/src/pipeline/relevance-judge.ts': [1, 'two time limits'],
  'packages/ask/src/reply/reply.ts': [1, 'one wait for each provider'],
  'packages/cli/src/commands/runs.ts': [1, 'runs of one page'],
  'packages/dashboard/src/answer/segments.ts': [1, 'two axes'],
  'packages/dashboard/src/components/chart/chart-options.ts': [1, 'values of a chart, whose number of periods is limited'],
  'packages/gateway/src/records/run/release-timeline.ts': [2, 'points of a timeline, whose number is limited'],
  'packages/gateway/src/records/store/queries/listed-run.ts': [2, 'runs of one page'],
  'packages/gateway/src/records/store/queries/run-texts.ts': [2, 'runs of one page'],
  'packages/gateway/src/records/store/queries/search-runs.ts': [1, 'rows of one page'],
  'packages/gateway/src/records/store/rollups/read-facts.ts': [2, 'runs of one step'],
  'packages/presets/src/reddb/sources-fingerprint.ts': [1, 'sources of one slice'],
  'packages/langchain/src/scope.ts': [2, 'the options of a model, in five places at most'],
  'packages/node/src/files/node-files.ts': [1, 'steps of a path, whose length the system limits'],
  'packages/core/src/contract/configuration/read-checks.ts': [2, 'problems of options'],
  'packages/core/src/contract/contract.ts': [1, 'problems of a contract'],
  'packages/core/src/engine/feedback/feedback.ts': [1, 'lines of one issue'],
  'packages/core/src/engine/stream/machines.ts': [2, 'one for each validator'],
  'packages/core/src/repairs/schema-guided/shape.ts': [1, 'shapes, whose number is limited'],
  'packages/core/src/repairs/schema-guided/similar.ts': [1, 'letters of a name, whose length is limited'],
  'packages/core/src/apis/shared/structured-output.ts': [1, 'the two ways of writing a schema'],
  'packages/core/src/apis/chat/chat-choice.ts': [2, 'at most one part'],
  'packages/core/src/apis/chat/chat-conflicts.ts': [1, 'one edit for each of three names'],
  'packages/core/src/apis/responses/response-writer.ts': [5, 'the edits of one part, or of a few members'],
  'packages/core/src/apis/responses/write-response.ts': [1, 'the edits of two members'],
  'packages/core/src/apis/shared/forged-verdicts.ts': [1, 'one edit for each of three names'],
  'packages/core/src/schema/evaluate/interpreter.ts': [1, 'keywords of one schema'],
  'packages/core/src/schema/read/metaschemas.ts': [1, 'parts of a dialect'],
  'packages/core/src/validators/contains/characters.ts': [1, 'symbols of one character'],
  'packages/core/src/validators/contains/index.ts': [1, 'phrases of the configuration'],
  'packages/core/src/validators/contains/text-search.ts': [2, 'phrases of the configuration'],
  'packages/core/src/validators/json/value/schema-shapes.ts': [1, 'schemas of one shape'],
  'packages/core/src/validators/json/lines/inspect-lines.ts': [1, 'lines that are reported, whose number is limited'],
  'packages/core/src/validators/language/tally.ts': [1, 'languages'],
  'packages/core/src/validators/one-of/match.ts': [2, 'values of the configuration, and the ends of sentences'],
  'packages/core/src/validators/sensitive/finder.ts': [1, 'kinds of the configuration'],
  'packages/core/src/validators/sensitive/numbers.ts': [1, 'countries'],
  'packages/core/src/validators/shared/units/limits.ts': [2, 'limits of the configuration'],
  'packages/core/src/validators/tool-calls/inspect.ts': [1, 'one character'],
  'packages/core/src/validators/tool-calls/text-calls/places.ts': [1, 'three offsets'],
  'packages/core/src/relay/calls/wire-call.ts': [1, 'fields that are added to a request'],
  'packages/gateway/src/config/resolved/gateway-config.ts': [1, 'contracts of a route'],
  'packages/gateway/src/admin/openapi/openapi-document.ts': [1, 'routes'],
  'packages/core/src/relay/stream/broken-frame.ts': [1, 'one edit'],
  'packages/core/src/relay/stream/relay-queue.ts': [1, 'choices of one event, whose number is limited'],
  'packages/node/src/config/load-plugins.ts': [2, 'installed packages'],
  'packages/node/src/config/expand-variables.ts': [1, 'variables of the configuration'],
  'packages/gateway/src/requests/budgets/completion-limit.ts': [1, 'three fields of a request'],
  'packages/gateway/src/requests/budgets/highest-price.ts': [2, 'prices of the configuration'],
  'packages/gateway/src/requests/pipeline/helper-calls.ts': [1, 'calls of one request'],
  'packages/parser/src/languages/ecmascript/find-faults.ts': [1, 'faults, whose number is limited'],
  'packages/parser/src/settings/parser-environment.ts': [1, 'problems of the configuration'],
}

test('only lists that are short in any case are spread into the arguments of a call', async () => {
  const isSource = (path: string) =>
    /^packages\/[\w-]+\/src\/.*\.ts$/.test(path) && !/\.test(?:-d)?\.ts$|\/testing\/|\/browser\//.test(path)
  const more: string[] = []
  for (const path of (await walk('packages')).filter(isSource)) {
    const lines = spreadCalls(await readFile(join(root, path), 'utf8'))
    if (lines.length > (few[path]?.[0] ?? 0)) more.push(`${path}: ${lines.length}, in lines ${lines.join(', ')}`)
  }
  expect(more, 'add each item by itself, or say in the table above why there are only a few').toEqual([])
})

test.each<[string, number[]]>([
  ['list.push(...more)', [1]],
  ['list.push(1,\n  ...more)', [2]],
  ['Math.max(0, ...list.map(({ length }) => length))', [1]],
  ['String.fromCharCode(...codes)', [1]],
  ['list.push([...more], { ...rest })', []],
  ['take(...more); const push = (...all) => all', []],
])('%s', (source, lines) => {
  expect(spreadCalls(source)).toEqual(lines)
})
