export function complaintOf(source: string, flags: string): string | undefined
