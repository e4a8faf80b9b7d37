export async function* chromium() {}
