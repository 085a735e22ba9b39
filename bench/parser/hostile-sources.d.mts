export const hostileSources: Readonly<Record<string, (size: number) => string>>
