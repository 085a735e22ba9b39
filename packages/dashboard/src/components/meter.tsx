/** What a meter takes. */
interface MeterProps {
  readonly used: number
  readonly limit: number
  readonly label: string
}

/** How much of a limit is used; it changes its colour only when little is left. */
export function Meter({ used, limit, label }: MeterProps) {
  const share = limit <= 0 ? 1 : Math.min(1, used / limit)
  const tone = share >= 1 ? 'unresolved' : share >= 0.9 ? 'unchecked' : ''
  return (
    <span class={`meter ${tone}`} role="img" aria-label={`${label}: ${Math.round(share * 100)} % used`}>
      <i style={{ width: `${share * 100}%` }} />
    </span>
  )
}
