/** An error of JSON Schema validation. */
export type Problem = {
  instancePath: string
  keyword: string
  message?: string
  params: Record<string, unknown>
}

/** The expected value, by the violated rule. */
export function expected({ keyword, message, params }: Problem) {
  switch (keyword) {
    case 'type':
      return `must be ${params.type === 'integer' ? 'a whole number' : `a ${params.type}`}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'pattern':
      return 'must be three capital letters, such as USD'
    case 'enum':
      return `must be one of: ${(params.allowedValues as string[]).join(', ')}`
    default:
      return message
  }
}
