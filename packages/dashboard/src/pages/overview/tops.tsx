import type { Overview, Totals } from '../../api/types.ts'
import { runsAddress } from '../../app/filters.ts'
import { useServices } from '../../app/services.ts'
import { type RankedRow, Ranking } from '../../components/ranking.tsx'

const met = ({ statuses }: Totals): number => (statuses.valid ?? 0) + (statuses.repaired ?? 0)

/** What fails most, and where: each row leads to its runs. */
export function Tops({ data }: { readonly data: Overview }) {
  const { format, router, me } = useServices()
  const { query } = router.place.value
  const to = (values: Readonly<Record<string, string>>): string => runsAddress(query, values)
  const totalsRow = (name: string, filter: string, row: Totals & { readonly other?: boolean }): RankedRow => ({
    name: row.other ? 'all others' : name === '' ? 'none' : name,
    amount: row.runs,
    cells: [
      format.number(row.runs),
      format.share(met(row), row.runs),
      format.share(row.retried, row.runs),
      row.p95Ms === undefined ? '–' : format.duration(row.p95Ms),
      format.money(row.cost),
    ],
    ...(row.other || name === '' ? {} : { to: to({ [filter]: name }) }),
  })
  const columns = ['Runs', 'Met', 'Asked again', 'p95', 'Cost']
  return (
    <div class="tops">
      <Ranking
        title="Rules that fail most"
        first="Rule"
        columns={['Runs', 'Fixed', 'Remained', 'Retries', 'Retry cost']}
        isBroad
        empty="No rule failed in this period."
        rows={data.rules.map((row) => ({
          name: row.other ? 'all others' : row.code,
          ...(row.other ? {} : { note: row.validator, to: to({ code: row.code, validator: row.validator }) }),
          amount: row.runs,
          cells: [row.runs, row.fixed, row.remaining, row.retries].map(format.number).concat(format.money(row.cost)),
        }))}
      />
      <Ranking
        title="Models"
        first="Model"
        columns={columns}
        empty="No model was called."
        rows={data.models.map((row) => totalsRow(row.model, 'model', row))}
      />
      <Ranking
        title="Contracts"
        first="Contract"
        columns={columns}
        empty="No contract was used."
        rows={data.contracts.map((row) => totalsRow(row.contract, 'contract', row))}
      />
      {me.value?.role !== 'client' && (
        <Ranking
          title="Keys"
          first="Key"
          columns={columns}
          empty="No key was used."
          rows={data.keys.map((row) => totalsRow(row.key, 'key', row))}
        />
      )}
      <Ranking
        title="Repairs"
        first="Rule of the repair"
        columns={['Runs', 'Changes']}
        empty="Nothing was repaired in this period."
        rows={data.repairs.map((row) => ({
          name: row.other ? 'all others' : row.rule,
          ...(row.other ? {} : { note: row.class, to: to({ rule: row.rule, class: row.class }) }),
          amount: row.runs,
          cells: [format.number(row.runs), format.number(row.count)],
        }))}
      />
      <Ranking
        title="Not delivered or not checked"
        first="Cause"
        columns={['Runs']}
        empty="Every answer was delivered and checked."
        rows={[
          ...data.failures.map((row) => ({
            name: row.other ? 'all others' : (row.failure ?? row.reason),
            ...(row.other ? {} : { note: row.status, to: to({ status: row.status }) }),
            amount: row.runs,
            cells: [format.number(row.runs)],
          })),
          ...data.unchecked.map((row) => ({
            name: row.other ? 'all others' : `${row.validator}: ${row.cause}`,
            ...(row.other ? {} : { note: 'unchecked', to: to({ status: 'unchecked' }) }),
            amount: row.runs,
            cells: [format.number(row.runs)],
          })),
        ]}
      />
    </div>
  )
}
