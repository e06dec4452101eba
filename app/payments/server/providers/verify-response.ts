/**
 * Checks that a response belongs to its request, and throws otherwise. A provider or a proxy that
 * answers twice on one connection would give the next request another request's response, and money
 * would be stored for the wrong buyer.
 */
export function verifyResponse<Answer extends object>(
  answer: Answer,
  requested: Partial<Answer>,
): Answer {
  const isOther = Object.entries(requested).some(
    ([name, value]) => Reflect.get(answer, name) !== value,
  )
  if (isOther) throw new Error('The response belongs to another request.')
  return answer
}
