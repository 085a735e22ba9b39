const paths = {
  overview: 'M2.500 13.500v-4M6.200 13.500v-8M9.800 13.500v-5.500M13.500 13.500v-11',
  runs: 'M2.500 4h11M2.500 8h11M2.500 12h7',
  sessions: 'M3 3.500h10v6.500H7.500L4.500 12.500V10H3z',
  contracts: 'M4 2.500h5.500L12.500 5.500v8H4zM6.200 9l1.600 1.600 2.700-2.900',
  upstreams: 'M4.800 11.500a2.800 2.800 0 0 1-.3-5.600 3.700 3.700 0 0 1 7-.6 3.100 3.100 0 0 1-.3 6.200z',
  keys: 'M6 8a2.500 2.500 0 1 0-5 0 2.500 2.500 0 0 0 5 0zm0 0h8.500v2.500M11.500 8v2',
  evaluations: 'M6 2.500v4.200L2.800 12a1 1 0 0 0 .9 1.500h8.600a1 1 0 0 0 .9-1.500L10 6.700V2.500M5 2.500h6M4.500 10h7',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zm3.300-1.200 3.200 3.200',
  close: 'm4 4 8 8m0-8-8 8',
  copy: 'M5.500 5.500h7v8h-7zM3.500 10.500v-8h7',
  link: 'M6.500 9.500l3-3M7.500 4.500l1-1a2.800 2.800 0 0 1 4 4l-1 1M8.500 11.500l-1 1a2.800 2.800 0 0 1-4-4l1-1',
  check: 'm3.500 8.500 3 3 6-7',
  sun: 'M8 10.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM8 2v1.200M8 12.800V14M2 8h1.200M12.800 8H14M3.800 3.800l.8.8M11.400 11.400l.8.8M12.200 3.800l-.8.8M4.600 11.400l-.8.8',
  moon: 'M13 9.500A5.500 5.500 0 0 1 6.500 3a5.500 5.500 0 1 0 6.500 6.500z',
  system: 'M2.500 3.500h11v7h-11zM6 13.500h4M8 10.500v3',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  down: 'm4 6 4 4 4-4',
  left: 'm10 4-4 4 4 4',
  right: 'm6 4 4 4-4 4',
  pause: 'M5.500 3.500v9M10.500 3.500v9',
  play: 'm5 3.500 7 4.500-7 4.500z',
  filter: 'M2.500 4h11M4.500 8h7M6.500 12h3',
  columns: 'M2.500 3h11v10h-11zM6.200 3v10M9.800 3v10',
  download: 'M8 2.500v7.500M4.800 7 8 10.200 11.200 7M3 13.500h10',
  warning: 'M8 2.500 14 13H2zM8 6.500v3M8 11.200v.1',
  keyboard: 'M1.500 4h13v8h-13zM4 6.500h.1M6.500 6.500h.1M9 6.500h.1M11.500 6.500h.1M5 9.500h6',
  refresh: 'M13 8a5 5 0 1 1-1.500-3.600M13 2.500v2.700h-2.700',
  retry: 'M3.500 6.500h6a3 3 0 0 1 0 6H6M6 4 3.500 6.500 6 9',
} as const

/** The name of an icon. */
export type IconName = keyof typeof paths

/** A drawing beside a word; screen readers skip it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}

/** The mark of the product. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" focusable="false">
      <rect width="24" height="24" rx="6" />
      <path class="mark-lines" d="M6.500 7h11M6.500 12h5" />
      <path class="mark-check" d="m9.500 16 2.700 2.700 5.800-6.700" />
    </svg>
  )
}
