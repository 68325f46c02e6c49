/** `securityContact` of packaging/names.json, where the publisher sets it; a test compares both. */
export const SECURITY_CONTACT: string = 'security@example.invalid';
