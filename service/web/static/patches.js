// Applies JSON Patches (RFC 6902: add, remove, replace); what does not change is shared.

export function patched(whole, operations) {
  return operations.reduce(
    (value, operation) => changed(value, keysOf(operation.path), operation),
    whole,
  );
}

function keysOf(path) {
  return path
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function changed(value, [key, ...rest], operation) {
  if (key === undefined) return operation.value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  if (rest.length > 0) copy[key] = changed(value[key], rest, operation);
  else if (Array.isArray(copy)) changeItem(copy, key, operation);
  else if (operation.op === "remove") delete copy[key];
  else copy[key] = operation.value;
  return copy;
}

function changeItem(list, key, { op, value }) {
  if (op === "remove") list.splice(Number(key), 1);
  else if (op === "add") list.splice(key === "-" ? list.length : Number(key), 0, value);
  else list[Number(key)] = value;
}
