import { useServices } from '../app/services.ts'

/** A moment: how long ago, with its date as a title. */
export function Ago({ at }: { readonly at: number }) {
  const { format, now } = useServices()
  return (
    <time dateTime={format.iso(at)} title={format.day(at)}>
      {format.ago(at, Math.max(now.value, at))}
    </time>
  )
}
