/** What a choice takes. */
interface SegmentsProps<Value extends string> {
  readonly label: string
  readonly choices: readonly (readonly [value: Value, title: string])[]
  readonly value: Value
  choose(value: NoInfer<Value>): void
}

/** One of a few choices, all of which are visible. */
export function Segments<Value extends string>({ label, choices, value, choose }: SegmentsProps<Value>) {
  return (
    <fieldset class="segments" aria-label={label}>
      {choices.map(([one, title]) => (
        <button key={one} type="button" class="segment" aria-pressed={one === value} onClick={() => choose(one)}>
          {title}
        </button>
      ))}
    </fieldset>
  )
}
