export type Questions<Answer> = {
  /** Has the question sent under a number of its own. Rejects when no answer comes in time. */
  ask: (send: (id: number) => void, patienceMs: number) => Promise<Answer>
  /** An answer has come; too late, it means nothing any more. */
  answered: (id: number, answer: Answer) => void
}

/** Keeps apart what was asked of another process, by numbers. */
export function questions<Answer>(): Questions<Answer> {
  const waiting = new Map<number, (answer: Answer) => void>()
  let asked = 0
  return {
    ask(send, patienceMs) {
      asked += 1
      const id = asked
      return new Promise((resolve, reject) => {
        const late = () => {
          waiting.delete(id)
          reject(new Error(`No answer came within ${patienceMs} ms.`))
        }
        const timer = setTimeout(late, patienceMs)
        waiting.set(id, (answer) => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(answer)
        })
        send(id)
      })
    },
    answered: (id, answer) => waiting.get(id)?.(answer),
  }
}
