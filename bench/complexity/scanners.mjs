import { pageCheck } from '../../tools/docs/page-check.mjs'
import * as answers from './answer-grammars.mjs'
import * as codes from './code-grammars.mjs'
import * as grammars from './grammars.mjs'

const noSignal = new AbortController().signal
const schema = {
  type: 'object',
  properties: { a: { type: 'integer' }, b: { type: 'array', items: { $ref: '#' } }, c: { enum: ['x', 'y'] } },
  required: ['a'],
  additionalProperties: { anyOf: [{ $ref: '#' }, { type: 'string', pattern: '^[a-z]*$', maxLength: 9 }] },
}
const tools = [{ name: 'get_weather', description: '', parameters: { type: 'object', properties: { city: { type: 'string' } } } }]

/** Every scanner of model text, with the tokens that its grammar is made of; `load` gives a module of a package by its path below `src`. */
export async function scanners(load) {
  const core = await load('core', 'index')
  const { catalogue } = await load('presets', 'index')
  const { languageOf } = await load('core', 'answer/markdown/code-language')
  const { AnswerReader } = await load('core', 'answer/reader')
  const { VerifiedStream } = await load('core', 'engine/stream/stream')
  const { repairBySchema } = await load('core', 'repairs/schema-guided/repair-by-schema')
  const { readJsonTree } = await load('core', 'json/json-tree')
  const { JsonValueReader } = await load('core', 'validators/json/value/json-value-reader')
  const { ValueGuide } = await load('core', 'validators/json/value/value-guide')
  const { SchemaShapes } = await load('core', 'validators/json/value/schema-shapes')
  const { compileSchema } = await load('core', 'schema/compile')
  const { SseParser } = await load('core', 'runners/sse')
  const { closeMatches } = await load('core', 'contract/close-match')
  const { redactor } = await load('core', 'runners/secrets')
  const { createRedactor } = await load('gateway', 'records/masking/redact')
  const { isDeeperThan } = await load('core', 'json/json-extent')
  const { hasDuplicateKeys } = await load('core', 'json/duplicate-keys')
  const { upstreamWords } = await load('core', 'relay/errors/provider-error-names')
  const { parseAvap } = await load('presets', 'avap/language/parse-avap')
  const { vocabularyOf } = await load('presets', 'avap/language/vocabulary')
  const { defaultCatalogue } = await load('presets', 'avap/language/default-catalogue')
  const avap = vocabularyOf(defaultCatalogue)
  const { sqlFaults } = await load('parser', 'languages/sql/faults')
  const { bodylessFunction } = await load('parser', 'languages/go/faults')
  const { findFaults } = await load('parser', 'languages/json/find-faults')
  const { openBracket } = await load('parser', 'languages/python/to-faults')
  const { mistakeAt } = await load('parser', 'languages/model-mistakes')
  const { mayHoldRegExp, mayAssignToAssertion } = await load('parser', 'languages/ecmascript/find-faults')
  const { passagesOf } = await load('ask', 'indexing/chunking/passages')
  const { layoutFor } = await load('ask', 'indexing/chunking/chunks-of')
  const { readPrompt } = await load('ask', 'extractive/extractive-runner')
  const { classifyByRules } = await load('ask', 'pipeline/classification/rules')
  const { standalone } = await load('ask', 'pipeline/nodes/reformulate')
  const { broadened } = await load('ask', 'pipeline/nodes/reformulate-with-hint')
  const { terms } = await load('core', 'relevance/terms')
  const { stemWord } = await load('core', 'relevance/stem/index')
  const { LexicalScorer } = await load('core', 'relevance/lexical/score')
  const { saysNo, relevancePrompt } = await load('core', 'relevance/judge')
  const { buildContract, settle, Answer, JsonStream, repairJson } = core
  const contract = (input) => buildContract(input, catalogue)
  const files = { kindOf: async () => undefined, list: async () => [] }
  const fault = { line: 1, column: 1, endLine: 1, endColumn: 2, message: 'a' }
  // A repair parses again as often as it may.
  const parser = { parse: async () => ({ verdict: 'invalid', trace: [fault] }) }
  const context = { tools, sources: ['one', 'two', 'three'], question: 'one' }
  const options = { context, ports: { files, parser } }

  const streamCode = async (text) => {
    const valid = { parse: async () => ({ verdict: 'valid' }) }
    const reader = new AnswerReader()
    const { prepared } = contract({ checks: [{ code_syntax: { languages: ['a', 'json'] } }] }).validators[0]
    const machine = prepared.incremental({ locale: 'en', context: {}, ports: { parser: valid }, signal: noSignal, memory: new Map() })
    for (let at = 0; at < text.length; at += 20) {
      const chunk = text.slice(at, at + 20)
      reader.push(chunk)
      await machine.push(chunk, reader).pending
    }
  }

  const rules = {
    json: { checks: [{ json: { schema } }] },
    citations: {
      checks: [
        { citations: { sources: 3, styles: ['caret', 'bracket', 'lenticular'], requireCitations: 'paragraph', dropUnsupported: true } },
      ],
    },
    'step marker': { checks: ['step_marker'] },
    'ADR structure': { checks: ['adr_structure'] },
    'phantom tools': { checks: [{ phantom_tools: { strict: true } }] },
    'tool calls': { checks: [{ tool_calls: { strict: true } }] },
    'max words': { checks: [{ max_words: { limit: 10 } }] },
    contains: { checks: [{ contains: { none: ['aaab', 'ab ab'], counts: [{ text: 'a', max: 1e9 }] } }] },
    pattern: { checks: [{ pattern: { require: [{ regex: 'x', max: 1e4 }], deny: [{ regex: '\\[[^\\]]*\\]\\(z' }, { regex: 'a.*zz' }] } }] },
    links: { checks: [{ links: { hosts: ['acme.com'] } }], allow: ['lossy'] },
    sensitive: { checks: [{ sensitive: { redact: true } }] },
    affixes: { checks: [{ affixes: { starts: '# ', ends: 'x', wrappedIn: '#' } }] },
    boilerplate: { checks: [{ boilerplate: { remove: true } }] },
    casing: { checks: [{ casing: { is: 'lower' } }], allow: ['lossy'] },
    markdown: {
      checks: [
        { markdown: { headings: { levels: [1, 2, 3, 4, 5, 6] }, bullets: { max: 1e9 }, highlights: { max: 1e9 }, tables: { max: 1e9 } } },
      ],
    },
    'markdown without HTML': { checks: [{ markdown: { html: 'none' } }] },
    'markdown with inert HTML': { checks: [{ markdown: { html: 'inert' } }] },
    language: { checks: [{ language: { is: ['en'] } }] },
    'one of': { checks: [{ one_of: { values: ['yes', 'no', '# a'] } }], allow: ['lossless', 'guess'] },
    length: {
      checks: [
        {
          length: {
            words: { max: 1e9 },
            sentences: { max: 1e9 },
            paragraphs: { max: 1e9 },
            parts: { separator: '---', max: 1e9, distinct: true },
          },
        },
      ],
    },
    'context relevance': { checks: ['context_relevance'] },
    'code syntax': { checks: ['code_syntax'] },
    'code in one language': { checks: [{ code_syntax: { language: 'a' } }] },
    'code of a profile': { checks: [{ code_syntax: { language: 'a', profile: 'avap' } }] },
    helix: { preset: 'helix' },
    reddb: { preset: 'reddb' },
    techtime: { preset: 'techtime' },
  }
  // A validator without a row has the check of its page.
  const shipped = catalogue.validators.map(({ definition }) => definition.name)
  const checked = new Set(
    Object.values(rules).flatMap(({ checks = [] }) => checks.flatMap((one) => Object.keys(typeof one === 'string' ? { [one]: 1 } : one))),
  )
  for (const name of shipped) if (!checked.has(name)) rules[name] = { checks: [pageCheck(name)] }
  const grammarOf = {
    json: grammars.json,
    citations: grammars.citations,
    'step marker': grammars.steps,
    'ADR structure': grammars.adr,
    'phantom tools': grammars.mentions,
    'tool calls': grammars.calls,
    contains: grammars.words,
    boilerplate: grammars.phrases,
    placeholders: grammars.phrases,
    complete: grammars.phrases,
    leaks: answers.leaks,
    repetition: answers.loops,
    'markdown without HTML': answers.html,
    'markdown with inert HTML': answers.html,
    sensitive: grammars.secrets,
    'context relevance': grammars.words,
    'code syntax': codes.code,
    'code in one language': codes.code,
    'code of a profile': codes.code,
    helix: grammars.adr,
    reddb: grammars.citations,
    techtime: grammars.mentions,
  }
  const all = [
    { name: 'json repair', grammar: grammars.json, run: (text) => repairJson(text) },
    { name: 'json repair, partial', grammar: grammars.json, run: (text) => repairJson(text, { partial: true }) },
    {
      name: 'growing values',
      grammar: grammars.json,
      run: (text) => grow(new JsonValueReader(undefined, undefined), new AnswerReader(), text),
    },
    {
      name: 'growing values of a schema',
      grammar: grammars.json,
      run: (text) =>
        grow(
          new JsonValueReader(new ValueGuide(new SchemaShapes(compileSchema(schema)), ['lossless', 'lossy']), undefined),
          new AnswerReader(),
          text,
        ),
    },
    { name: 'json stream', grammar: grammars.json, run: (text) => feed(new JsonStream(), text) },
    { name: 'json tree', grammar: grammars.json, run: (text) => readJsonTree(text) },
    {
      name: 'json by schema',
      grammar: grammars.json,
      run: (text) => repairBySchema(text, schema, { allow: ['lossless', 'lossy', 'guess'] }),
    },
    { name: 'answer', grammar: grammars.markdown, run: (text) => readAll(new Answer(text)) },
    { name: 'terms', grammar: grammars.terms, run: (text) => terms(text) },
    { name: 'stems', grammar: grammars.terms, run: (text) => text.split(' ').map(stemWord) },
    { name: 'lexical relevance', grammar: grammars.terms, run: (text) => new LexicalScorer(text).score(text) },
    { name: 'lexical relevance of few words', grammar: grammars.terms, run: (text) => new LexicalScorer('get status abab x').score(text) },
    { name: 'verdict on relevance', grammar: grammars.terms, run: (text) => [saysNo(text), relevancePrompt(text, [text, text])] },
    { name: 'server-sent events', grammar: grammars.events, run: (text) => feed(new SseParser(), Buffer.from(text)) },
    { name: 'close matches', grammar: grammars.words, run: (text) => closeMatches(text.slice(0, 200), text.split(' ')) },
    { name: 'known secrets', grammar: grammars.secrets, run: redactor(['sk-aaaaaaaaaaaaaaaa', 'aaaaaaaaaaab', 'abababababab']) },
    { name: 'likely secrets', grammar: grammars.secrets, run: createRedactor() },
    { name: 'AVAP', grammar: codes.avap, run: (text) => parseAvap(text, avap) },
    // PostgreSQL stops in the middle of what is left.
    {
      name: 'SQL',
      grammar: codes.sql,
      run: (text) => sqlFaults(text, (rest) => ({ message: 'syntax error', codePoint: rest.length / 2 })),
    },
    { name: 'Go', grammar: codes.go, run: (text) => bodylessFunction(text) },
    { name: 'strict JSON', grammar: grammars.json, run: (text) => findFaults(text) },
    { name: 'JSON with comments', grammar: grammars.json, run: (text) => findFaults(text, { isRelaxed: true }) },
    { name: 'brackets of Python', grammar: codes.code, run: (text) => openBracket(text) },
    { name: 'regular expressions in JavaScript', grammar: codes.go, run: (text) => [mayHoldRegExp(text), mayAssignToAssertion(text)] },
    { name: 'mistakes of models', grammar: codes.code, run: (text) => mistakeAt(text, text.length >> 1, '#') },
    { name: 'code in a stream', grammar: codes.code, run: (text) => streamCode(text) },
    { name: 'chunks of Markdown', grammar: grammars.markdown, run: (text) => [...passagesOf(text, layoutFor('a.md'))] },
    { name: 'chunks of text', grammar: grammars.markdown, run: (text) => [...passagesOf(text, layoutFor('a.txt'))] },
    { name: 'chunks of code', grammar: codes.code, run: (text) => [...passagesOf(text, layoutFor('a.ts'))] },
    { name: 'prompts with sources', grammar: grammars.citations, run: (text) => readPrompt([{ role: 'user', content: text }]) },
    { name: 'types of queries', grammar: codes.code, run: (text) => classifyByRules(text, { language: { fence: 'a' } }) },
    {
      name: 'wordings of queries',
      grammar: grammars.words,
      run: (text) => [broadened(text), standalone(text, [{ role: 'user', content: text }])],
    },
    { name: 'tags of code', grammar: codes.code, run: (text) => languageOf(text) },
    { name: 'depth of JSON', grammar: grammars.json, run: (text) => isDeeperThan(text, 64) },
    { name: 'outline and keys of JSON', grammar: grammars.json, run: (text) => hasDuplicateKeys(text) },
    { name: 'words of an upstream', grammar: grammars.secrets, run: (text) => upstreamWords(JSON.stringify({ error: { message: text } })) },
  ]
  for (const [name, input] of Object.entries(rules)) {
    const whole = contract(input)
    const streamed = contract({ ...input, stream: 'verified' })
    const grammar = grammarOf[name] ?? grammars.markdown
    all.push({ name: `${name}, whole`, grammar, run: (text) => settle(whole, text, options) })
    all.push({ name: `${name}, streamed`, grammar, run: (text) => stream(VerifiedStream, streamed, text, options) })
  }
  all.push({
    name: 'arguments of tool calls',
    grammar: grammars.json,
    run: (text) =>
      settle(contract({ checks: ['tool_calls'] }), new Answer('', { toolCalls: [{ name: 'get_weather', arguments: text }] }), options),
  })
  return all
}

function feed(parser, text) {
  for (let at = 0; at < text.length; at += 20) parser.push(text.subarray ? text.subarray(at, at + 20) : text.slice(at, at + 20))
  return parser.finish?.()
}

/** Follows a value, and looks at it after each piece. */
function grow(value, reader, text) {
  for (let at = 0; at < text.length; at += 20) {
    const piece = text.slice(at, at + 20)
    reader.push(piece)
    value.push(piece, reader)
    value.copy()
  }
}

function stream(VerifiedStream, rules, text, options) {
  const reading = new VerifiedStream(
    rules,
    { ...options, locale: rules.policy.locale, signal: noSignal },
    { release: 'verified', repairs: true, stops: false },
  )
  for (let at = 0; at < text.length; at += 20) reading.push(text.slice(at, at + 20))
  reading.end()
}

/** Asks an answer for everything that it can tell. */
function readAll(answer) {
  return [answer.headings, answer.codeBlocks, answer.headers, answer.words, answer.visible, answer.listItems, answer.links]
}
