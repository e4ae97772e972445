/** Fields of every resource that the service sets itself (contract, section 2.2). */
export const READ_ONLY_FIELDS = ['id', 'object', 'created_at', 'updated_at'];
