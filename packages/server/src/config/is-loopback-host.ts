/** Whether only programs of this machine reach a service that listens there. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:127\.|localhost$|::1$)/.test(host);
}
