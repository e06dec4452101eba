/**
 * Checks that an answer is about what was requested, and throws otherwise. A provider or a proxy that
 * answers twice on one connection gives the next request another's answer, and another's money must
 * never be stored as theirs.
 */
export function verifyResponse<Answer extends object>(
  answer: Answer,
  requested: Partial<Answer>,
): Answer {
  const isOther = Object.entries(requested).some(
    ([name, value]) => Reflect.get(answer, name) !== value,
  )
  if (isOther) throw new Error('The answer is about something else.')
  return answer
}
