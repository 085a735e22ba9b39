import type { RunCounts } from '../../run/kept-record.ts'
import type { RunRecord } from '../../run/run-record.ts'
import { json, member } from '../rows/json.ts'
import { given, real } from '../rows/values.ts'

/** Writes a run as a line, with the JSON of its attempts; member by member, because every request waits for it. */
export function writeRun(run: RunRecord, counts: RunCounts, attempts: string): string {
  const about = `"id":${json(run.id)},"requestId":${json(run.requestId)},"choice":${json(run.choice)},"at":${json(run.at)},"ms":${json(run.ms)}`
  const names = `,"api":${json(run.api)},"stream":${json(run.stream)},"model":${json(run.model)},"contract":${json(run.contract)}`
  const where = `,"upstream":${json(run.upstream)},"upstreamModel":${json(run.upstreamModel)},"key":${json(run.key)}`
  const ended = `,"status":${json(run.status)},"reason":${json(run.reason)},"httpStatus":${json(run.httpStatus)}`
  const lists = `,"issues":${json(run.issues)},"fixed":${json(run.fixed)},"repairs":${json(run.repairs)},"unchecked":${json(run.unchecked)}`
  const { promptTokens, completionTokens, cost } = run.usage
  const usage = `,"usage":{"promptTokens":${json(promptTokens)},"completionTokens":${json(completionTokens)}${member('cost', cost)}}`
  const some = `${member('session', run.session)}${member('firstTextMs', given(run.firstTextMs, real))}${member('facts', run.facts)}${member('failure', run.failure)}${member('delivered', run.delivered)}${member('pipeline', run.pipeline)}`
  const texts = `${member('request', run.request)}${member('text', run.text)}`
  return `{"run":{${about}${names}${where}${ended}${lists}${usage}${some}${texts},"attempts":${attempts}${writeCounts(counts)}}}`
}

function writeCounts({ attempts, issues, fixed, repairs }: RunCounts): string {
  return `,"counts":{"attempts":${json(attempts)},"issues":${json(issues)},"fixed":${json(fixed)},"repairs":${json(repairs)}}`
}
