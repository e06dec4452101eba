/** Stands for typebox in the browser, where a contract is read for its paths and methods only. */
const schema = () => ({ properties: {} })

export const Type = new Proxy({}, { get: () => schema })
