"""Instructions, branches and loops of compiled kernels, sm_70 and later: 16 bytes each. Opcodes are those that nvdisasm
shows; NVIDIA does not document them."""
import heapq
import struct

ENDS = {0x14D, 0x150}  # EXIT, RET
NOP, BRANCH, JOIN_LATER, UNIFORM = 0x118, 0x147, 0x145, 0x547  # NOP, BRA, BSSY; BRA by a predicate of the whole warp
CLASSES = {"fp64": {0x028, 0x029, 0x02A, 0x02B},  # DMUL, DADD, DSETP, DFMA
           "load": {0x181}, "store": {0x186}, "lds": {0x184, 0x188}}
ALWAYS = 7


class Instruction:
    def __init__(self, code, index):
        self.low, self.high = struct.unpack_from("<QQ", code, 16 * index)
        self.index = index
        self.opcode = self.low & 0x1FF

    @property
    def conditional(self):
        return self.low >> 12 & 0xF != ALWAYS or self.low & 0xFFF == UNIFORM

    @property
    def target(self):
        """Index of where a BRA goes: multiples of four bytes from the next instruction, in two fields."""
        far = self.low >> 34 | (self.high & 0x3FFFF) << 30
        far -= far >> 47 << 48
        return self.index + 1 + ((far << 8 | self.low >> 16 & 0xFF) >> 2)


def instructions(code):
    """Without what stands behind the end."""
    all_of = [Instruction(code, k) for k in range(len(code) // 16)]
    return [i for i in all_of if i.opcode != NOP and not (i.opcode == BRANCH and i.target == i.index)]


def count(some):
    """Numbers by class. branch: conditional ones. parting: where the compiler has lanes meet again behind a branch or a
    loop, since it cannot tell that they all go one way."""
    found = {name: sum(i.opcode in opcodes for i in some) for name, opcodes in CLASSES.items()}
    found["branch"] = sum(i.opcode == BRANCH and i.conditional for i in some)
    found["parting"] = sum(i.opcode == JOIN_LATER for i in some)
    return found


def innermost_loops(all_of):
    """Their instructions, from the target of a branch backwards to the branch, where no other such pair is within."""
    back = [(i.target, i.index) for i in all_of if i.opcode == BRANCH and i.target < i.index]
    inner = {(a, b) for a, b in back if not any((c, d) != (a, b) and a <= c and d <= b for c, d in back)}
    return [[i for i in all_of if a <= i.index <= b] for a, b in sorted(inner)]


def shortest_turn(loop):
    """The fewest instructions that one turn may have. Functions that it calls count as one."""
    by_index = {i.index: k for k, i in enumerate(loop)}
    least = {0: 1}
    queue = [(1, 0)]
    while queue:
        steps, k = heapq.heappop(queue)
        if k == len(loop) - 1:
            return steps
        i = loop[k]
        ways = []
        if i.conditional or (i.opcode not in ENDS and i.opcode != BRANCH):
            ways.append(k + 1)
        if i.opcode == BRANCH and i.target in by_index:
            ways.append(by_index[i.target])
        for way in ways:
            if steps + 1 < least.get(way, len(loop) + 1):
                least[way] = steps + 1
                heapq.heappush(queue, (steps + 1, way))
    return len(loop)
