import { createHash } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import type { Certificate, CodeEntry, Contract, Issue } from '@stickler/core'
import { engineCodes } from '@stickler/core/internal'
import { safeJson } from '../terminal/printable.ts'
import { clip } from '../terminal/text.ts'
import { type FileResult, isRepaired, newIssues } from './file-result.ts'
import { LineIndex } from './line-index.ts'
import { type Place, placeOf, region } from './place.ts'
import type { ReportFacts, ReportWriter } from './report-writer.ts'

/** What the report says beside its results. */
type SarifOptions = Pick<ReportFacts, 'version' | 'pathOf'> & { readonly contract: Contract }

type Data = Readonly<Record<string, unknown>>

/** SARIF 2.1.0, for code scanning and editors; results are streamed one by one. */
export function sarifReport({ contract, version, pathOf }: SarifOptions): ReportWriter {
  const rules = sarifRules(contract)
  const indexes = new Map(rules.map(({ id }, index) => [id, index]))
  const notifications: Data[] = []
  let written = 0
  const driver = { name: 'stickler', semanticVersion: version, rules }
  const opening = {
    tool: { driver },
    columnKind: 'utf16CodeUnits',
    newlineSequences: ['\r\n', '\n', '\r'],
    originalUriBaseIds: { '%SRCROOT%': { description: { text: 'The root of the checkout, or the folder that stickler was run in.' } } },
  }
  return {
    begin: `{\n"$schema":"https://json.schemastore.org/sarif-2.1.0.json",\n"version":"2.1.0",\n"runs":[{\n${members(opening)},\n"results":[`,
    add: (result) => {
      const location = locationOf(result, pathOf)
      for (const note of notesOf(result, location)) notifications.push(note)
      return resultsOf(result, location, indexes)
        .map((one) => `${written++ === 0 ? '\n' : ',\n'}${safeJson(one)}`)
        .join('')
    },
    addFault: (message) => {
      notifications.push({ level: 'error', message: { text: plain(message) } })
      return ''
    },
    end: ({ exitCode }) => {
      const executed = notifications.length === 0 ? {} : { toolExecutionNotifications: notifications }
      return `],\n"invocations":[${safeJson({ executionSuccessful: exitCode < 2, exitCode, ...executed })}]\n}]\n}\n`
    },
  }
}

/** The members of an object without its braces. */
function members(object: Data): string {
  return Object.entries(object)
    .map(([name, value]) => `${safeJson(name)}:${safeJson(value)}`)
    .join(',\n')
}

function resultsOf(result: FileResult, location: Data, indexes: ReadonlyMap<string, number>): Data[] {
  const { answer, settled, failed, secrets } = result
  // A reader of a fingerprint could try secrets until one fits.
  const shown = secrets.hide(answer.text)
  const lines = new LineIndex(answer.text)
  const seen = new Map<string, number>()
  const whole = { startLine: 1, endLine: lines.positionAt(answer.text.length).line }
  const fix = sarifFix(result, lines, location)
  // The places of new ones are in another text.
  const issues: readonly Issue[] = [...settled.found.issues, ...newIssues(settled).map(({ span: _span, ...issue }) => issue)]
  return issues.map((issue) => {
    const place = issue.span && placeOf(issue.span, lines)
    const isFixed = isRepaired(result, issue)
    const index = indexes.get(issue.code)
    return {
      ruleId: issue.code,
      ...(index === undefined ? {} : { ruleIndex: index }),
      // Repaired issues fail the check only when requested.
      level: isFixed && !failed ? 'note' : issue.severity,
      message: { text: [issue.message, ...(issue.hint === undefined ? [] : [issue.hint])].map(plain).join('\n') },
      // An issue without a span applies to the whole file, but code scanning requires a line.
      locations: [{ physicalLocation: { artifactLocation: location, region: place === undefined ? whole : region(place) } }],
      partialFingerprints: { 'sticklerIssue/v1': fingerprint(issue, place, shown, lines, seen) },
      properties: { validator: issue.validator, status: settled.status },
      ...(isFixed && fix !== undefined ? { fixes: [fix] } : {}),
    }
  })
}

function notesOf({ settled, fix, failed }: FileResult, location: Data): Data[] {
  const locations = [{ physicalLocation: { artifactLocation: location } }]
  return [
    ...settled.unchecked.map(({ validator, cause, message }) => ({
      level: failed ? 'error' : 'warning',
      message: { text: plain(`${validator} could not check (${cause}): ${message}`) },
      locations,
    })),
    ...(fix?.kind === 'refused' ? [{ level: 'error', message: { text: plain(`not written: ${fix.reason}`) }, locations }] : []),
  ]
}

/** A message without embedded links, which a model may have written. */
function plain(text: string): string {
  return clip(text).replaceAll('](', '] (')
}

/** The location of a result; standard input is not a file. */
function locationOf({ file }: FileResult, pathOf: SarifOptions['pathOf']): Data {
  if (file === undefined) return { uri: 'stdin:' }
  const path = pathOf(file)
  const isInside = !/^(?:[/\\]|[A-Za-z]:[/\\])/.test(path)
  return isInside ? { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' } : { uri: pathToFileURL(path).href }
}

/** A fingerprint that survives lines added above: the code, its line, and its position among identical ones. */
function fingerprint(issue: Issue, place: Place | undefined, text: string, lines: LineIndex, seen: Map<string, number>): string {
  const { start, end } = place === undefined ? { start: 0, end: 0 } : lines.spanOf(place.line)
  const key = [issue.validator, issue.code, (issue.path ?? []).join('.'), text.slice(start, Math.min(end, start + 1000)).trim()].join(
    '\u0000',
  )
  const digest = createHash('sha256').update(key).digest('hex').slice(0, 32)
  const before = seen.get(digest) ?? 0
  seen.set(digest, before + 1)
  return `${digest}:${before + 1}`
}

/** A SARIF rule: a code that an issue may have. */
interface SarifRule {
  readonly id: string
  readonly shortDescription: { readonly text: string }
  readonly fullDescription: { readonly text: string }
  readonly help: { readonly text: string; readonly markdown: string }
  readonly defaultConfiguration: { readonly level: 'error' | 'warning' }
  readonly properties: { readonly tags: readonly string[] }
}

/** The codes that a contract can report, from its validators and the engine. */
function sarifRules({ validators }: Contract): readonly SarifRule[] {
  const rules = new Map<string, SarifRule>()
  const add = (validator: string, codes: Readonly<Record<string, CodeEntry>>): void => {
    for (const [code, entry] of Object.entries(codes)) if (!rules.has(code)) rules.set(code, ruleOf(code, validator, entry))
  }
  for (const { definition } of validators) add(definition.name, definition.codes)
  add('stickler', engineCodes)
  return [...rules.values()]
}

function ruleOf(code: string, validator: string, { severity, when, fix }: CodeEntry): SarifRule {
  return {
    id: code,
    shortDescription: { text: when },
    fullDescription: { text: `${when} Reported by ${validator}.` },
    help: { text: `${fix} (stickler explain ${code})`, markdown: `${fix}\n\nRun \`stickler explain ${code}\` for details.` },
    defaultConfiguration: { level: severity },
    properties: { tags: [validator] },
  }
}

type Edit = Pick<Certificate, 'span' | 'after'>

/** The repairs of a file as one fix, because they were verified together; undefined when the text did not change. */
function sarifFix({ answer, settled, secrets, isFixable }: FileResult, lines: LineIndex, location: Data): Data | undefined {
  const { text } = answer
  const repaired = settled.text
  if (!isFixable) return undefined
  const own = [...settled.repairs].sort((a, b) => a.span.start - b.span.start)
  // Certificates of later rounds refer to an intermediate text, not to the file.
  const edits: readonly Edit[] = applied(text, own) === repaired ? own : [wholeChange(text, repaired)]
  if (!edits.every(({ after }) => secrets.areAbsentIn(after))) return undefined
  const rules = [...new Set(settled.repairs.map(({ rule }) => rule))].join(', ')
  const replacements = edits.map(({ span, after }) => ({
    deletedRegion: region(placeOf(span, lines)),
    ...(after === '' ? {} : { insertedContent: { text: after } }),
  }))
  return { description: { text: `Repair by ${rules}` }, artifactChanges: [{ artifactLocation: location, replacements }] }
}

function applied(text: string, edits: readonly Edit[]): string | undefined {
  const pieces: string[] = []
  let at = 0
  for (const { span, after } of edits) {
    if (span.start < at) return undefined
    pieces.push(text.slice(at, span.start), after)
    at = span.end
  }
  return pieces.join('') + text.slice(at)
}

/** The single range of whole lines in which two texts differ, so that no surrogate pair is split. */
function wholeChange(before: string, after: string): Edit {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++
  start = start === 0 ? 0 : before.lastIndexOf('\n', start - 1) + 1
  let same = 0
  while (same < shorter - start && before.charCodeAt(before.length - 1 - same) === after.charCodeAt(after.length - 1 - same)) same++
  const lineEnd = before.indexOf('\n', before.length - same)
  const kept = lineEnd < 0 ? 0 : Math.min(same, before.length - lineEnd)
  return { span: { start, end: before.length - kept }, after: after.slice(start, after.length - kept) }
}
