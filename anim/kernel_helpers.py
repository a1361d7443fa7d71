"""How kernels that only kernels call are compiled: as far as LLVM's input, which their callers optimize with their own.

Numba optimizes each function together with all that it calls, and makes machine code of it, before it compiles the
caller, which does all that again. For a function that Python never calls only the last time counts.

This goes into parts of numba that have no interface. Where they are not those known here, helpers are compiled as numba
compiles any function: slower, to the same bits.
"""

from typing import Any, Final

from numba import types, version_info
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

OLDEST: Final = (0, 64)
"""The first version of numba whose parts are those known here."""

NEWEST: Final = (0, 68)
"""The last one that is known."""


def is_known(version: tuple[int, int]) -> bool:
    """Say whether a version of numba, its first two numbers, has the parts that helpers need."""
    return OLDEST <= version <= NEWEST


class HelperLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of one helper, and which helpers it calls; nothing of it is optimized or run by itself."""

    _shared_module: Any

    def _optimize_functions(self, module: Any) -> None:
        """Tidy each function up, so that callers link less; one set of passes does for all."""
        module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager()
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def finalize(self) -> None:
        """Make the code ready to be linked into callers, by however many."""
        self._raise_if_finalized()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage.name == "external":
                function.linkage = "linkonce_odr"
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Return the code with all that it calls: callers first, as the linker drops what nothing has asked for yet."""
        if self._shared_module is None:
            called: list[Any] = []
            self._add_called(called, set())
            whole = self._final_module.clone()
            for library in reversed(called[:-1]):
                self._reload_init.update(library._reload_init)
                is_helper = isinstance(library, HelperLibrary)
                module = library._final_module if is_helper else library._get_module_for_linking()
                whole.link_in(module, preserve=True)
            self._shared_module = whole
        return self._shared_module

    def _add_called(self, called: list[Any], seen: set[Any]) -> None:
        """Append all that is called, and this behind it."""
        seen.add(self)
        for library in self._linking_libraries:
            if library not in seen:
                if isinstance(library, HelperLibrary):
                    library._add_called(called, seen)
                else:
                    seen.add(library)
                    called.append(library)
        called.append(self)

    @property
    def codegen(self) -> Any:
        """Where numba sets the environments of functions as soon as they have an address: here they get none."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: the environment lies in the callers' code, see `set_environments`."""

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: there is no machine code."""
        return 0


class HelperCompiler(Compiler):  # type: ignore[misc]
    """Numba's own steps, with another place for the code."""

    def define_pipelines(self) -> Any:
        """Return numba's own passes."""
        state = self.state
        if state["library"] is None:
            state["library"] = HelperLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()


def helper_options() -> dict[str, Any]:
    """Return the options by which this numba compiles helpers: without what only Python needs to call a function."""
    options: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return options | ({"pipeline_class": HelperCompiler} if is_known(version_info.short) else {})


def ask_helper(called_by_python: Any, helper: Any) -> None:
    """Let kernels that call a function have its helper, one for all constants of a type.

    Numba would infer and compile a function anew for each constant in Python that is handed to it.
    """

    def get_call_template(arguments: Any, keywords: Any) -> Any:
        arguments = tuple(map(types.unliteral, arguments))
        return helper.get_call_template(arguments, {name: types.unliteral(of) for name, of in keywords.items()})

    called_by_python.get_call_template = get_call_template
    called_by_python.get_overload = helper.get_overload


def set_environments(compiled: Any) -> None:
    """Tell the code of all functions, and so that of the helpers in it, where their environments are: they print and
    raise by them.
    """
    if not is_known(version_info.short):
        return
    for result in compiled.overloads.values():
        code = result._asdict()["library"]
        for environment in result._find_referenced_environments():
            code.codegen.set_env(environment.env_name, environment)
