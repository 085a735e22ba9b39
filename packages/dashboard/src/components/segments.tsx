/** What a choice takes. */
interface SegmentsProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly (readonly [value: Value, title: string])[]
  choose(value: NoInfer<Value>): void
}

/** A choice among few. */
export function Segments<Value extends string>({ label, value, options, choose }: SegmentsProps<Value>) {
  return (
    <fieldset class="segments" aria-label={label}>
      {options.map(([one, title]) => (
        <button key={one} type="button" class="segment" aria-pressed={one === value} onClick={() => choose(one)}>
          {title}
        </button>
      ))}
    </fieldset>
  )
}
